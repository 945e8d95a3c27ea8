#!/usr/bin/env python3
"""Fits the few weights of the likelihood and says how well they rank commits of projects they have not seen.

    fit.py ROWS.jsonl...        (what extract.py wrote; one file a project)

A logistic form with one intercept a project (so that only ranking within a project counts), weights of a given sign,
and a small penalty. Every project weighs the same. Printed for each project: AUC of lines added, of lines added and
deleted, of the score with weights from the other projects (leave one out), of the score with weights from the earlier
60 % of all projects on the later 40 % of this one (time split); and recall of what went wrong within the first 20 % of
changed lines, reviewing in the order of likelihood per line.
"""

import json
import os
import sys

import numpy as np
from scipy.optimize import minimize
from sklearn.metrics import roc_auc_score

from measures import label, measures

HORIZON = float(os.environ.get("HORIZON", "730"))
ANYWHERE = os.environ.get("ANYWHERE") == "1"
SIGNS = json.loads(os.environ.get("SIGNS", "null")) or {
    "la_source": 1, "la_test": 1, "la_other": 1, "ld_source": 1, "spread_src": 1, "nf_src": 1,
    "recent_max": 1, "rfix_max": 1, "ndev_max": 1, "exp": -1,
}


def load(path):
    rows = [json.loads(line) for line in open(path)]
    end = max(row["landed"] for row in rows)
    # Young commits have had no time to go wrong; the first tenth has no history to speak of.
    rows = [row for row in rows if row["landed"] <= end - min(HORIZON, 365) * 86400 and row["files"]]
    rows.sort(key=lambda row: row["landed"])
    rows = rows[len(rows) // 10:]
    if ANYWHERE:
        for row in rows:
            row["fixed_after"] = row["fixed_anywhere_after"]
    y = np.array([label(row, HORIZON) for row in rows])
    table = [measures(row) for row in rows]
    return rows, table, y


def design(table):
    return np.array([[m[name] for name in SIGNS] for m in table], float)


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
        p = 1.0 / (1.0 + np.exp(-z))
        value = np.sum(scale * (np.logaddexp(0.0, z) - y * z)) + 2e-4 * np.sum(theta[:k] ** 2)
        residual = scale * (p - y)
        gradient = np.concatenate([X.T @ residual + 4e-4 * theta[:k], np.bincount(project, residual, len(sets))])
        return value, gradient

    bounds = [(0, None) if sign > 0 else (None, 0) if sign < 0 else (None, None) for sign in SIGNS.values()]
    found = minimize(loss, np.zeros(k + len(sets)), jac=True, method="L-BFGS-B", bounds=bounds + [(None, None)] * len(sets))
    return found.x[:k], found.x[k:]


def recall_at_20(order, lines, y):
    order = np.argsort(-order, kind="stable")
    spent = np.cumsum(lines[order])
    return y[order][spent <= 0.2 * lines.sum()].sum() / max(1, y.sum())


def main():
    data = {}
    for path in sys.argv[1:]:
        data[os.path.basename(path).split(".")[0]] = load(path)
    designs = {name: design(table) for name, (_, table, _) in data.items()}
    print(f"{'project':14s} {'n':>6s} {'bad':>5s} | {'la':>5s} {'la+ld':>5s} {'la_src':>6s} | {'LOPO':>5s} {'time':>5s} | recall20: la+ld-asc LOPO/line")
    sums = []
    for name, (rows, table, y) in data.items():
        others = [(designs[n], data[n][2]) for n in data if n != name] or [(designs[name], y)]
        weights, _ = fit(others)
        score = designs[name] @ weights
        cut = [(designs[n][: int(len(data[n][2]) * 0.6)], data[n][2][: int(len(data[n][2]) * 0.6)]) for n in data]
        early, _ = fit(cut)
        later = slice(int(len(y) * 0.6), None)
        la = np.array([m["la_raw"] for m in table], float)
        ld = np.array([m["ld_raw"] for m in table], float)
        src = np.array([m["la_source"] for m in table])
        lines = la + ld
        auc = [roc_auc_score(y, v) for v in (la, lines, src, score)]
        time = roc_auc_score(y[later], (designs[name] @ early)[later]) - roc_auc_score(y[later], la[later])
        probability = 1 / (1 + np.exp(-(score - score.mean() - 2)))
        recall = [recall_at_20(v, lines, y) for v in (-lines, probability / (lines + 1), la)]
        sums.append(auc + [time])
        print(f"{name:14s} {len(y):6d} {y.mean():5.2f} | {auc[0]:.3f} {auc[1]:.3f} {auc[2]:.3f} | {auc[3]:.3f} {time:+.3f} | " + " ".join(f"{r:.2f}" for r in recall))
    print("mean", " ".join(f"{v:.3f}" for v in np.mean(sums, axis=0)))
    weights, intercepts = fit([(designs[n], data[n][2]) for n in data])
    print({name: round(w, 3) for name, w in zip(SIGNS, weights)}, "intercepts", [round(i, 2) for i in intercepts])


main()
