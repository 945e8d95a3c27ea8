#!/bin/sh
# Answers with the prompt, unless the case's vars ask for something else.
case "$3" in
  *'"variant":"loud"'*) printf '%s!' "$1" | tr '[:lower:]' '[:upper:]' ;;
  *'"variant":"options"'*) printf '%s' "$2" ;;
  *) printf '%s' "$1" ;;
esac
