#!/usr/bin/env bash
# Posts the comment, or brings the one from last time up to date; then says whether the checks passed. Called by action.yml.
set -euo pipefail

: "${COMMENT:?there is no comment to post}"
mark='<!-- hansei-receipt -->'

post() {
  local comments="repos/$GITHUB_REPOSITORY/issues/$INPUT_PULL_REQUEST/comments"
  local old
  # Anybody may write the mark; only what a bot wrote with it is ours to change.
  old="$(gh api --paginate "$comments" \
    --jq ".[] | select(.user.type == \"Bot\" and (.body | startswith(\"$mark\"))) | .id" | head -n 1)"
  if [ -n "$old" ]; then
    gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$old" --field "body=@$COMMENT"
  else
    gh api --silent --method POST "$comments" --field "body=@$COMMENT"
  fi
}

if [ -z "${INPUT_PULL_REQUEST:-}" ]; then
  printf 'no pull request: the receipt is in the summary of this job\n'
elif ! post; then
  # A pull request from a fork is given no right to comment.
  printf '::warning::the receipt could not be posted; it is in the summary of this job\n'
fi

if [ "${CHECKS_PASSED:-false}" = false ] && [ "${INPUT_FAIL:-true}" = true ]; then
  printf '::error::a check of the base branch fails on this pull request\n'
  exit 1
fi
