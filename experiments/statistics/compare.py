#!/usr/bin/env python3
"""Holds the figures of `hansei experiment calibration` against independent implementations, to six digits.

Usage: compare.py HANSEI     (the built program; scripts/test calls it, in a venv with scikit-learn and numpy)

- AUC and Brier score: scikit-learn.
- Calibration error, lift, risk by coverage: numpy, from the definitions in docs/experiments.md.
- DeLong interval: numpy, from the paper's definition, pair by pair; and the paper's own data (DeLong, DeLong and
  Clarke-Pearson 1988, ovarian cancer: the 43 patients with all three tests), against the areas, standard errors and
  limits that SAS/STAT's documentation prints for them (PROC LOGISTIC, "Comparing Receiver Operating Characteristic
  Curves"), to the four digits that are printed there.

Twenty corpora are generated from a fixed seed. Ends with an error at the first difference.
"""

import json
import subprocess
import sys

import numpy as np
from sklearn.metrics import brier_score_loss, roc_auc_score

DIGITS = 6
HIGH = 0.8
Z = 1.959963984540054

# Albumin, total protein, K-G score, and whether the patient was fit to be operated on.
OVARIAN = """
3.0 5.8 10 0  3.2 6.3 5 1  3.9 6.8 3 1  2.8 4.8 6 0  3.2 5.8 3 1  0.9 4.0 5 0  2.5 5.7 8 0  1.6 5.6 5 1  3.8 5.7 5 1
3.7 6.7 6 1  3.2 5.4 4 1  3.8 6.6 6 1  4.1 6.6 5 1  3.6 5.7 5 1  4.3 7.0 4 1  3.6 6.7 4 0  2.3 4.4 6 1  4.2 7.6 4 0
4.0 6.6 6 0  3.5 5.8 6 1  3.8 6.8 7 1  3.0 4.7 8 0  4.5 7.4 5 1  3.7 7.4 5 1  3.1 6.6 6 1  4.1 8.2 6 1  4.3 7.0 5 1
4.3 6.5 4 1  3.2 5.1 5 1  2.6 4.7 6 1  3.3 6.8 6 0  1.7 4.0 7 0  3.7 6.1 5 1  3.3 6.3 7 1  4.2 7.7 6 1  3.5 6.2 5 1
2.9 5.7 9 0  2.1 4.8 7 1  2.8 6.2 8 0  4.0 7.0 7 1  3.3 5.7 6 1  3.7 6.9 5 1  3.6 6.6 5 1
"""
# For each test: its column, which way it points, and the printed area, standard error and limits.
PRINTED = {
    "albumin": (0, -1, 0.7366, 0.0927, 0.5549, 0.9182),
    "total protein": (1, -1, 0.6478, 0.1000, 0.4518, 0.8439),
    "K-G score": (2, 1, 0.7258, 0.1028, 0.5243, 0.9273),
}


def corpora():
    """Twenty corpora, each a name with confidences and labels."""
    rng = np.random.default_rng(20261115)

    def labelled(confidence, skill=1.0):
        confidence = np.clip(np.asarray(confidence, dtype=float), 0.0, 1.0)
        return confidence, rng.random(confidence.size) < 0.5 + skill * (confidence - 0.5)

    yield "uniform, calibrated", *labelled(rng.random(2000))
    yield "uniform, no skill", *labelled(rng.random(2000), 0.0)
    yield "uniform, upside down", *labelled(rng.random(1500), -0.8)
    yield "all confident", *labelled(0.8 + 0.2 * rng.random(3000), 0.6)
    yield "tenths", *labelled(np.round(rng.random(2500), 1))
    yield "twentieths, mostly high", *labelled(np.round(rng.beta(8, 2, 2500) * 20) / 20)
    yield "three values", *labelled(rng.choice([0.8, 0.9, 1.0], 800), 0.3)
    yield "only 0 and 1", *labelled(rng.integers(0, 2, 600), 0.7)
    confidence, correct = labelled(np.full(400, 0.9), 0.5)
    yield "constant", confidence, correct
    confidence = confidence.copy()
    confidence[17] = 0.95
    yield "constant but one", confidence, correct
    yield "a billionth apart", *labelled(0.85 + 1e-9 * rng.integers(0, 50, 1000), 0.4)
    yield "one ulp apart", *labelled(np.nextafter(0.9, rng.integers(0, 2, 300).astype(float)), 0.2)
    yield "tiny", np.array([0.9, 0.85, 0.8, 0.2]), np.array([True, False, True, False])
    yield "two of each", np.array([0.81, 0.95, 0.9, 0.83]), np.array([True, True, False, False])
    confidence, _ = labelled(0.7 + 0.3 * rng.random(5000))
    correct = np.ones(5000, dtype=bool)
    correct[rng.choice(5000, 12, replace=False)] = False
    yield "twelve wrong in five thousand", confidence, correct
    yield "twelve right in five thousand", confidence, ~correct
    confidence = np.sort(rng.random(1000))
    yield "perfect", confidence, confidence > np.median(confidence)
    yield "perfectly wrong", confidence, confidence < np.median(confidence)
    yield "denormals and edges", *labelled(rng.choice([0.0, 5e-324, 1e-300, 0.1, 0.3, 0.7, 0.8, 1 - 2**-53, 1.0], 900))
    yield "fifty thousand, half of them tied", *labelled(
        np.where(rng.random(50000) < 0.5, np.round(rng.random(50000), 2), rng.random(50000)), 0.5
    )


def wins(right, wrong):
    """Each right one against each wrong one."""
    return (right[:, None] > wrong[None, :]) + 0.5 * (right[:, None] == wrong[None, :])


def delong(confidence, correct):
    """Area, standard error and interval, pair by pair; none with fewer than two of a class."""
    right, wrong = confidence[correct], confidence[~correct]
    if min(right.size, wrong.size) < 2:
        return None
    # In slices, because all pairs at once would not fit for the large corpora.
    of_right = np.concatenate([wins(part, wrong).mean(axis=1) for part in np.array_split(right, 1 + right.size // 500)])
    of_wrong = np.concatenate([wins(right, part).mean(axis=0) for part in np.array_split(wrong, 1 + wrong.size // 500)])
    area = of_right.mean()
    error = np.sqrt(of_right.var(ddof=1) / right.size + of_wrong.var(ddof=1) / wrong.size)
    return area, error, [max(0.0, area - Z * error), min(1.0, area + Z * error)]


def auc(confidence, correct):
    return roc_auc_score(correct, confidence) if correct.any() and not correct.all() else None


def expected_error(confidence, correct, bins):
    gaps = [(confidence[bins == b].mean() - correct[bins == b].mean()) * (bins == b).mean() for b in np.unique(bins)]
    return float(np.abs(gaps).sum())


def risk_area(confidence, correct):
    """The mean over all coverages of the share of errors, a tie's errors spread evenly over it."""
    _, place, size = np.unique(-confidence, return_inverse=True, return_counts=True)
    share = np.bincount(place, weights=~correct) / size
    return float(np.mean(np.cumsum(np.repeat(share, size)) / np.arange(1, confidence.size + 1)))


def reference(confidence, correct):
    high = confidence >= HIGH
    ordered = np.sort(confidence)
    equal_mass = np.searchsorted(ordered, confidence, side="left") * 10 // confidence.size
    intervals = {
        name: found and found[2]
        for name, found in (
            ("auc_interval", delong(confidence, correct)),
            ("auc_high_interval", delong(confidence[high], correct[high])),
        )
    }
    return {
        "auc": auc(confidence, correct),
        "auc_high": auc(confidence[high], correct[high]),
        "brier": brier_score_loss(correct, confidence),
        "ece": expected_error(confidence, correct, np.minimum(np.floor(confidence * 10), 9)),
        "ece_equal_mass": expected_error(confidence, correct, equal_mass),
        "lift": correct[high].mean() / correct.mean() if high.any() and correct.any() else None,
        "overconfidence": confidence.mean() - correct.mean(),
        "n": confidence.size,
        "n_high": int(high.sum()),
        "risk_area": risk_area(confidence, correct),
        **intervals,
    }


def told(hansei, confidence, correct):
    rows = "".join(
        json.dumps({"confidence": float(c), "correct": bool(y)}) + "\n" for c, y in zip(confidence, correct)
    )
    ran = subprocess.run(
        [hansei, "experiment", "calibration", "-", "--json"], input=rows, capture_output=True, text=True, timeout=120
    )
    if ran.returncode not in (0, 1):
        sys.exit(f"hansei ended with {ran.returncode}: {ran.stderr}")
    answer = json.loads(ran.stdout)
    if (ran.returncode == 1) != (answer["status"] == "killed"):
        sys.exit(f"exit code {ran.returncode} with status {answer['status']}")
    answer["risk_area"] = answer["risk_coverage"]["area"]
    return answer


def same(ours, theirs, tolerance):
    if ours is None or theirs is None:
        return ours is theirs
    return np.shape(ours) == np.shape(theirs) and bool(np.all(np.abs(np.subtract(ours, theirs)) <= tolerance))


def check(name, field, ours, theirs, tolerance=0.5 * 10**-DIGITS):
    if not same(ours, theirs, tolerance):
        sys.exit(f"{name}: {field} is {ours} by Hansei and {theirs} by the reference")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    hansei = sys.argv[1]
    compared = 0
    for name, confidence, correct in corpora():
        answer, expected = told(hansei, confidence, correct), reference(confidence, correct)
        for field, value in expected.items():
            check(name, field, answer[field], value)
        for field, value in (("figure", expected["auc_high"]), ("interval", expected["auc_high_interval"])):
            check(name, field, answer[field], value)
        compared += 1
        print(f"{name}: {len(expected)} figures agree to {DIGITS} digits", flush=True)
    if compared != 20:
        sys.exit(f"{compared} corpora and not 20")
    table = np.array(OVARIAN.split(), dtype=float).reshape(-1, 4)
    fit = table[:, 3] == 0
    for name, (column, sign, area, error, low, high) in PRINTED.items():
        test = sign * table[:, column]
        # Any rising function of a test ranks alike; this one lies between 0.8 and 1, so that all of it counts as high.
        answer = told(hansei, 0.8 + 0.2 * (test - test.min()) / (test.max() - test.min()), fit)
        own = delong(test, fit)
        printed = 0.5e-4 + 1e-9
        check(name, "the reference's area", own[0], area, printed)
        check(name, "the reference's standard error", own[1], error, printed)
        for of in ("auc", "auc_high"):
            check(name, of, answer[of], own[0])
            check(name, of, answer[of], area, printed)
            check(name, f"{of}_interval", answer[f"{of}_interval"], own[2])
            check(name, f"{of}_interval", answer[f"{of}_interval"], [low, high], printed)
        print(f"{name} of DeLong et al.: {answer['auc']:.4f} ({low} to {high}) agrees as printed")
    print(f"{compared} corpora and {len(PRINTED)} published examples agree")


main()
