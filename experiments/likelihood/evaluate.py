#!/usr/bin/env python3
"""Tries the program itself: `hansei risk --commits -` on labelled commits, beside lines added and the path floor.

    evaluate.py HANSEI REPOSITORY ROWS.jsonl [MOST]      (rows from extract.py; at most MOST commits, evenly taken)
"""

import json
import subprocess
import sys
import time

from measures import lines, went_wrong
from ranking import auc, recall_within


def main():
    hansei, repository, path = sys.argv[1:4]
    most = int(sys.argv[4]) if len(sys.argv) > 4 else 10_000
    rows = [json.loads(line) for line in open(path)]
    end = max(row["landed"] for row in rows)
    span = min(365 * 86400, (end - min(row["landed"] for row in rows)) / 4)
    rows = sorted((row for row in rows if row["landed"] <= end - span and row["files"]), key=lambda row: row["landed"])
    rows = rows[len(rows) // 10:]
    step = max(1.0, len(rows) / most)
    rows = [rows[int(at * step)] for at in range(min(most, len(rows)))]
    asked = "".join(row["commit"] + "\n" for row in rows)
    began = time.monotonic()
    answer = subprocess.run([hansei, "risk", "--repo", repository, "--commits", "-"], input=asked, text=True,
                            stdout=subprocess.PIPE, check=True)
    seconds = time.monotonic() - began
    said = [json.loads(line) for line in answer.stdout.splitlines()]
    assert [line["commit"] for line in said] == [row["commit"] for row in rows]
    la = [lines(row)[0] for row in rows]
    churn = [sum(lines(row)) for row in rows]
    score = [line["likelihood"]["score"] for line in said]
    floor = [line["consequence"]["score"] for line in said]
    rank = [line["rank"] for line in said]
    later = slice(len(rows) * 6 // 10, None)
    for field in ("fixed_after", "fixed_anywhere_after"):
        y = [went_wrong(row, field) for row in rows]
        print(json.dumps({
            "rows": path.rsplit("/", 1)[-1], "label": field, "commits": len(rows), "wrong": round(sum(y) / len(y), 3),
            "auc": {name: round(auc(y, values), 3) for name, values in
                    (("lines_added", la), ("churn", churn), ("floor", floor), ("likelihood", score), ("rank", rank))},
            "auc_later": {name: round(auc(y[later], values[later]), 3) for name, values in
                          (("lines_added", la), ("likelihood", score))},
            "recall_20": {name: round(recall_within(y, values, churn), 3) for name, values in (
                ("lines_added", la), ("small_first", [-c for c in churn]), ("floor", floor), ("likelihood", score),
                ("likelihood_per_line", [s / (c + 1) for s, c in zip(score, churn)]))},
            "mean_score": round(sum(score) / len(score), 3), "seconds": round(seconds, 1),
        }), flush=True)


main()
