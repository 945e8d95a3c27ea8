#!/usr/bin/env bash
# Runs the declared checks and writes the comment: their results, and beside them what the receipt says. Called by
# action.yml, without any token: the code of a pull request runs here.
set -euo pipefail

: "${INPUT_BASE:?the base commit is unknown: set the input 'base'}"
: "${INPUT_HEAD:?the head commit is unknown: set the input 'head'}"
folder="$(mktemp -d "${RUNNER_TEMP:-/tmp}/hansei-receipt.XXXXXX")"
results="$folder/results.tsv"
receipt="$folder/receipt.json"
comment="$folder/comment.md"
: > "$results"

find_hansei() {
  if [ -n "${INPUT_HANSEI:-}" ]; then
    printf '%s\n' "$INPUT_HANSEI"
  elif command -v hansei; then
    :
  else
    local root="$GITHUB_ACTION_PATH/../../.."
    cargo build --quiet --release --manifest-path "$root/Cargo.toml" -p hansei
    printf '%s\n' "${CARGO_TARGET_DIR:-$root/target}/release/hansei"
  fi
}

checked_out="$(git rev-parse HEAD)"
if [ "$checked_out" != "$INPUT_HEAD" ]; then
  printf '::error::%s is checked out, not the head %s of the pull request: give actions/checkout its "ref"\n' \
    "$checked_out" "$INPUT_HEAD"
  exit 2
fi
hansei="$(find_hansei)"

# A receipt is made before the checks run: they are the pull request's code, and might write one. Exit code 1 says that not
# every claim is supported; the receipt says it too.
make_receipt() {
  if [ -n "${INPUT_RECEIPT:-}" ]; then
    cp -- "$INPUT_RECEIPT" "$receipt"
    return
  fi
  git fetch --quiet --no-tags origin '+refs/notes/hansei-receipt:refs/notes/hansei-receipt' 2> /dev/null || true
  if git notes --ref hansei-receipt show "$INPUT_HEAD" > "$receipt" 2> /dev/null; then
    return
  fi
  local code=0
  "$hansei" receipt --base "$INPUT_BASE" --json > "$receipt" || code=$?
  if [ "$code" -gt 1 ]; then
    exit "$code"
  fi
}
make_receipt

# Only the workflow and the base branch say what runs; neither the receipt nor the pull request does.
list="${INPUT_CHECKS:-}"
if [ -z "$list" ]; then
  list="$("$hansei" receipt --list-checks --base "$INPUT_BASE")"
fi

# Without the files and tokens through which a step speaks to the runner, and with the runner deaf to what is printed.
run_check() {
  local word
  word="hansei-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
  printf '::group::%s\n::stop-commands::%s\n' "$1" "$word"
  local code=0
  env -u GITHUB_OUTPUT -u GITHUB_ENV -u GITHUB_PATH -u GITHUB_STATE -u GITHUB_STEP_SUMMARY \
    -u GITHUB_TOKEN -u GH_TOKEN -u ACTIONS_RUNTIME_TOKEN -u ACTIONS_ID_TOKEN_REQUEST_TOKEN \
    timeout --kill-after=10 "${INPUT_TIMEOUT:-1800}" bash -c "$1" < /dev/null 2>&1 || code=$?
  printf '\n::%s::\n::endgroup::\n' "$word"
  printf '%s\t%s\n' "$code" "$1" >> "$results"
}

passed=true
count=0
while IFS= read -r check; do
  check="${check//$'\r'/}"
  check="${check//$'\t'/ }"
  if [ -z "${check// /}" ]; then
    continue
  fi
  run_check "$check"
  count=$((count + 1))
done <<< "$list"
if [ "$count" -eq 0 ]; then
  passed=none
elif grep -qv $'^0\t' "$results"; then
  passed=false
fi

code=0
"$hansei" receipt --from "$receipt" --head "$INPUT_HEAD" --rerun "$results" > "$comment" || code=$?
if [ "$code" -gt 1 ]; then
  exit "$code"
fi
cat "$comment" >> "${GITHUB_STEP_SUMMARY:-/dev/stdout}"
{
  printf 'checks-passed=%s\n' "$passed"
  printf 'comment=%s\n' "$comment"
} >> "${GITHUB_OUTPUT:-/dev/stdout}"
