#!/usr/bin/env bash
# The capture as a shell script with node for the JSON: the reference that the benchmark measures against.
set -eu
exec node "$(dirname "$0")/reference-capture.cjs"
