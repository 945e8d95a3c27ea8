#!/usr/bin/env bash
# The review risk of a change as annotations, a job summary and outputs. Called by action.yml.
set -euo pipefail

: "${INPUT_BASE:?the base commit is unknown: set the input 'base'}"
: "${INPUT_HEAD:?the head commit is unknown: set the input 'head'}"

find_hansei() {
  if [ -n "${INPUT_HANSEI:-}" ]; then
    printf '%s\n' "$INPUT_HANSEI"
  elif command -v hansei; then
    :
  else
    local root="$GITHUB_ACTION_PATH/../.."
    cargo build --quiet --release --manifest-path "$root/Cargo.toml" -p hansei
    printf '%s\n' "${CARGO_TARGET_DIR:-$root/target}/release/hansei"
  fi
}

hansei="$(find_hansei)"
form=(--base "$INPUT_BASE" --head "$INPUT_HEAD")
if [ -n "${INPUT_THRESHOLD:-}" ]; then
  form+=(--threshold "$INPUT_THRESHOLD")
fi

# Exit code 1 is the answer "needs review"; anything above is a failure of the step.
ask() {
  local code=0
  "$hansei" risk "${form[@]}" "$@" || code=$?
  if [ "$code" -gt 1 ]; then
    exit "$code"
  fi
  return 0
}

ask --format github
report="$(ask --format json)"
if [ -n "${INPUT_SARIF:-}" ]; then
  ask --format sarif > "$INPUT_SARIF"
fi

# A field of the report by its path; a list comes as lines.
field() { node -e 'const v = process.argv[2].split(".").reduce((at, key) => at[key], JSON.parse(process.argv[1])); process.stdout.write(Array.isArray(v) ? v.join("\n") : String(v))' "$report" "$1"; }
needs_review="$(field consequence.needs_review)"
{
  printf 'needs-review=%s\n' "$needs_review"
  printf 'score=%s\n' "$(field consequence.score)"
  printf 'surface=%s\n' "$(field consequence.surface)"
  printf 'likelihood=%s\n' "$(field likelihood.score)"
  printf 'rank=%s\n' "$(field rank)"
} >> "${GITHUB_OUTPUT:-/dev/stdout}"
{
  if [ "$needs_review" = true ]; then printf '### Review needed\n\n'; else printf '### No review needed\n\n'; fi
  # Paths come from the pull request: as a code block they are text, whatever they contain.
  printf '~~~~~~text\n%s\n~~~~~~\n' "$({
    field consequence.reason
    printf '\nlikelihood of a mistake %s, rank %s\n' "$(field likelihood.score)" "$(field rank)"
    field likelihood.reasons
  } | tr -d '\000-\010\013-\037' | tr '~' '-')"
} >> "${GITHUB_STEP_SUMMARY:-/dev/stdout}"

if [ "$needs_review" = true ] && [ "${INPUT_FAIL:-false}" = true ]; then
  exit 1
fi
