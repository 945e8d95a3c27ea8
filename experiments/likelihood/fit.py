#!/usr/bin/env python3
"""Fits the weights of the likelihood, and says how well they rank commits of projects and times they have not seen.

    fit.py ROWS.jsonl...        (what extract.py wrote; one file a project; needs numpy and scipy)

A logistic form with one intercept a project (so that only the ranking within a project counts), weights of a given sign
and a small penalty; every project weighs the same. The target is the mean of the two labels of extract.py (a fix
touched its code; a fix touched any of its lines), so that neither decides alone what a line of a test is worth.
For each project: AUC for both labels of lines added, of a fit on the other projects (leave one out), of a fit on the
earlier 60 % of all projects tried on the later 40 % of this one (with lines added there beside it), and of the rounded
weights that the program uses.
"""

import json
import os
import sys

import numpy as np
from scipy.optimize import minimize

from measures import SIGNS, USED, lines, measures, went_wrong
from ranking import auc

LABELS = ("fixed_after", "fixed_anywhere_after")


def load(path):
    rows = [json.loads(line) for line in open(path)]
    # Young commits have had no time to go wrong; the first tenth has no history to speak of.
    end = max(row["landed"] for row in rows)
    span = min(365 * 86400, (end - min(row["landed"] for row in rows)) / 4)
    rows = [row for row in rows if row["landed"] <= end - span and row["files"]]
    rows.sort(key=lambda row: row["landed"])
    rows = rows[len(rows) // 10:]
    table = [measures(row) for row in rows]
    return {
        "X": np.array([[m[name] for name in SIGNS] for m in table]),
        "la": [lines(row)[0] for row in rows],
        "y": {field: np.array([went_wrong(row, field) for row in rows]) for field in LABELS},
    }


def target(project):
    return (project["y"][LABELS[0]] + project["y"][LABELS[1]]) / 2


def fit(sets):
    """Weights from (X, y) of several projects."""
    k = len(SIGNS)
    sizes = [len(y) for _, y in sets]
    scale = np.concatenate([np.full(n, 1.0 / n) for n in sizes]) / len(sets)
    X = np.concatenate([X for X, _ in sets])
    y = np.concatenate([y for _, y in sets])
    project = np.concatenate([np.full(n, i) for i, n in enumerate(sizes)])

    def loss(theta):
        z = X @ theta[:k] + theta[k:][project]
        residual = scale * (1.0 / (1.0 + np.exp(-z)) - y)
        value = np.sum(scale * (np.logaddexp(0.0, z) - y * z)) + 2e-4 * np.sum(theta[:k] ** 2)
        return value, np.concatenate([X.T @ residual + 4e-4 * theta[:k], np.bincount(project, residual, len(sets))])

    bounds = [(0, None) if sign > 0 else (None, 0) for sign in SIGNS.values()] + [(None, None)] * len(sets)
    return minimize(loss, np.zeros(k + len(sets)), jac=True, method="L-BFGS-B", bounds=bounds).x[:k]


def main():
    data = {os.path.basename(path).split(".")[0]: load(path) for path in sys.argv[1:]}
    early = fit([(p["X"][: len(p["X"]) * 6 // 10], target(p)[: len(p["X"]) * 6 // 10]) for p in data.values()])
    used = np.array([USED[name] for name in SIGNS])
    print("project | commits | went wrong | lines added | left out | later: lines added | later: early fit | used")
    for name, project in data.items():
        others = fit([(p["X"], target(p)) for n, p in data.items() if n != name])
        later = slice(len(project["X"]) * 6 // 10, None)
        both = lambda values, part=slice(None): "/".join(
            f"{auc(list(project['y'][field][part]), list(values[part])):.3f}" for field in LABELS)
        la = np.array(project["la"], float)
        wrong = "/".join(f"{project['y'][field].mean():.2f}" for field in LABELS)
        print(" | ".join([name, str(len(la)), wrong, both(la), both(project["X"] @ others), both(la, later),
                          both(project["X"] @ early, later), both(project["X"] @ used)]), flush=True)
    weights = fit([(p["X"], target(p)) for p in data.values()])
    print("all:", {name: round(float(weight), 3) for name, weight in zip(SIGNS, weights)})
    print("early:", {name: round(float(weight), 3) for name, weight in zip(SIGNS, early)})
    usual = {name: round(float(np.median(np.concatenate([p["X"][:, i] for p in data.values()]))), 2) for i, name in enumerate(SIGNS)}
    print("usual:", usual)
    shift = []
    for project in data.values():
        z = project["X"] @ used
        low, high = -20.0, 5.0
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if (1 / (1 + np.exp(-(z + middle)))).mean() < target(project).mean() else (low, middle)
        shift.append(low)
    print("intercepts with the used weights:", [round(s, 2) for s in shift], "mean", round(float(np.mean(shift)), 2))


main()
