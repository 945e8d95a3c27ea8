#!/usr/bin/env python3
"""Times the AUC of ten million values: Hansei's against scikit-learn's `roc_auc_score`, both from arrays in memory.

Usage: speed.py [ROWS [HANSEI]]     (with scikit-learn and numpy; builds what it times with cargo, as a release)

Both are given the same scores as 64-bit floats and the same labels as booleans. What is timed is the call alone, in the
same run, by turns, and the best of three counts. With HANSEI, the built program, the whole command on the same rows as JSON
lines is timed apart.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
from sklearn.metrics import roc_auc_score

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROUNDS = 3


def cargo(*arguments):
    subprocess.run(["cargo", *arguments], cwd=ROOT, check=True)


def target():
    answer = subprocess.run(
        ["cargo", "metadata", "--format-version=1", "--no-deps", "--locked"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )
    return pathlib.Path(json.loads(answer.stdout)["target_directory"]) / "release"


def timed(call):
    start = time.perf_counter()
    answer = call()
    return time.perf_counter() - start, answer


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 10**7
    cargo("build", "--quiet", "--release", "--locked", "--package", "hansei-stats", "--example", "time_auc")
    program = target() / "examples" / "time_auc"
    rng = np.random.default_rng(7)
    uniform = rng.random(rows)
    for name, scores in (("all distinct", uniform), ("a hundred distinct", np.round(uniform, 2))):
        labels = rng.random(rows) < 0.25 + 0.5 * scores
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder) / "scores", pathlib.Path(folder) / "labels"]
            scores.tofile(files[0])
            labels.tofile(files[1])
            ours, theirs = [], []
            for _ in range(ROUNDS):
                ran = subprocess.run([program, *files], check=True, capture_output=True, text=True)
                ours.append(json.loads(ran.stdout))
                theirs.append(timed(lambda: roc_auc_score(labels, scores)))
        if abs(ours[0]["auc"] - theirs[0][1]) > 0.5e-6:
            sys.exit(f"{name}: {ours[0]['auc']} by Hansei and {theirs[0][1]} by scikit-learn")
        fast, slow = min(one["seconds"] for one in ours), min(one[0] for one in theirs)
        print(f"{name}: {rows} values, AUC {ours[0]['auc']:.6f}")
        print(f"  Hansei {fast:.3f} s, scikit-learn {slow:.3f} s: {fast / slow:.3f} of it", flush=True)
        if fast > slow / 2:
            sys.exit("more than half of scikit-learn's time")
    if len(sys.argv) < 3:
        return
    hansei = pathlib.Path(sys.argv[2]).resolve()
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        for part in np.array_split(np.arange(rows), max(1, rows // 100_000)):
            file.writelines(
                f'{{"confidence": {c}, "correct": {"true" if y else "false"}}}\n'
                for c, y in zip(uniform[part].tolist(), labels[part].tolist())
            )
        file.flush()
        size = pathlib.Path(file.name).stat().st_size
        command = [hansei, "experiment", "calibration", file.name, "--json"]
        seconds, _ = timed(lambda: subprocess.run(command, cwd="/", capture_output=True))
        print(f"the whole command on {size / 1e6:.0f} MB of JSON lines: {seconds:.2f} s, {rows / seconds / 1e6:.2f} million rows/s")


main()
