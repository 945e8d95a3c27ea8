"""Says where two result files in promptfoo's shape disagree: promptfoo's own and that of `hansei eval`.

A result is the same in both when the case's description, the provider and the rendered prompt are; results that share all
three are compared as a whole.
"""

import collections
import json
import sys


def asked(prompt):
    """A prompt that is JSON is the same however it is laid out: promptfoo's results hold it on one line."""
    try:
        return json.dumps(json.loads(prompt), sort_keys=True)
    except ValueError:
        return prompt


def results(path):
    found = collections.defaultdict(list)
    for result in json.load(open(path, encoding="utf-8"))["results"]["results"]:
        case = result.get("description") or (result.get("testCase") or {}).get("description") or ""
        provider = result["provider"].get("label") or result["provider"]["id"]
        score = result.get("score")
        found[case, provider, asked(result["prompt"]["raw"])].append(
            (result["success"], None if score is None else round(score, 6), result.get("error") or "")
        )
    return found


def main():
    theirs, ours = results(sys.argv[1]), results(sys.argv[2])
    agreed = total = scores = 0
    for key in sorted(set(theirs) | set(ours)):
        left, right = sorted(theirs.get(key, [])), sorted(ours.get(key, []))
        total += max(len(left), len(right))
        if [one[0] for one in left] == [one[0] for one in right]:
            agreed += len(left)
            scores += sum(a[1] == b[1] for a, b in zip(left, right))
            continue
        print(f"{key[0]!r} by {key[1]}, asked {key[2][:60]!r}:")
        print(f"    promptfoo {[(one[0], one[2][:120]) for one in left]}")
        print(f"    hansei    {[(one[0], one[2][:120]) for one in right]}")
    print(f"{agreed} of {total} results came to the same in both, {scores} of them with the same score")
    sys.exit(agreed != total)


main()
