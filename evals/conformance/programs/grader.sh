#!/bin/sh
# A grader that can read no more than one word.
case "$1" in
  *NONSENSE*) echo 'I cannot say.' ;;
  *'ANSWER thank'*) echo 'My grade: {"pass": true, "score": 0.9, "reason": "it says thank you"}' ;;
  *) echo '{"pass": false, "score": 0.1, "reason": "it does not"}' ;;
esac
