"""Fits the model that orders stops by how likely they are done, and says how well it orders a source that it was not fitted on.

The features of a run's shape come from `hansei judge --json`; evidence counts with coefficients that are set by hand. Signs that sense
forbids are fixed, every source counts the same, and so do right and wrong runs of one. Only the standard library.
"""
import math

SIGNS = {"one_file": 1, "named": 1, "span": -1, "again": -1, "last_run_failed": -1}
# The same with the amount of work among them, to be compared and never used: a long session is not improbable for being long.
WITH_STEPS = {**SIGNS, "steps": -1}
ROUNDS, RATE, RIDGE = 1500, 1.0, 0.01


def auc(right, wrong):
    """How often a right run has the higher figure, ties counted half."""
    if not right or not wrong:
        return math.nan
    wins = sum((a > b) + 0.5 * (a == b) for a in right for b in wrong)
    return wins / (len(right) * len(wrong))


def read(path):
    """The rows of the table by name: coefficient, centre, reason."""
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return {name: (float(coefficient), float(centre), reason) for name, coefficient, centre, reason in lines}


def by_hand(table, found):
    """The log-odds that what was found leaves: rows of the table by name."""
    return table["base"][0] + sum(table[name][0] for name in found)


def centres_of(sources, signs):
    total, weight = dict.fromkeys(signs, 0.0), 0.0
    for rows in sources:
        for shape, _, _, own in rows:
            if shape:
                weight += own
                for name in signs:
                    total[name] += own * shape[name]
    return {name: total[name] / weight for name in signs}


def weighed(rows):
    """Rows (shape, found, label), each with its weight."""
    counts = {label: sum(row[2] is label for row in rows) for label in (True, False)}
    return [(*row, 0.5 / counts[row[2]]) for row in rows]


def fit(sources, table, signs):
    """Coefficients and centres, fitted on `sources`."""
    sources = [weighed(rows) for rows in sources]
    centres = centres_of(sources, signs)
    names = list(signs)
    data = [([shape[name] - centres[name] for name in names] if shape else [0.0] * len(names),
             by_hand(table, found), label, own / len(sources))
            for rows in sources for shape, found, label, own in rows]
    coefficients, base = [0.0] * len(names), 0.0
    for _ in range(ROUNDS):
        slope, slant = [RIDGE * c for c in coefficients], 0.0
        for values, fixed, label, own in data:
            odds = base + fixed + sum(c * v for c, v in zip(coefficients, values))
            error = own * (1 / (1 + math.exp(-odds)) - label)
            slant += error
            for place, value in enumerate(values):
                slope[place] += error * value
        base -= RATE * slant
        for place, name in enumerate(names):
            moved = coefficients[place] - RATE * slope[place]
            coefficients[place] = moved if moved * signs[name] > 0 else 0.0
    return dict(zip(names, coefficients)), centres


def score(row, fitted, table):
    coefficients, centres = fitted
    shape, found = row[0], row[1]
    own = sum(coefficients[name] * (shape[name] - centres[name]) for name in coefficients) if shape else 0.0
    return by_hand(table, found) + own


def left_out(sources, table, signs=SIGNS):
    """For each source by name, how well the model orders it that was fitted on the others."""
    figures = {}
    for name, rows in sources.items():
        fitted = fit([other for key, other in sources.items() if key != name], table, signs)
        scores = {label: [score(row, fitted, table) for row in rows if row[2] is label] for label in (True, False)}
        figures[name] = auc(scores[True], scores[False])
    return figures


def write(path, sources, table):
    """Puts the coefficients that all sources give into the table."""
    coefficients, centres = fit(list(sources.values()), table, SIGNS)
    with open(path, encoding="utf-8") as file:
        head = [line for line in file if line.startswith("#")]
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(head)
        for name, (coefficient, centre, reason) in table.items():
            if name in SIGNS:
                coefficient, centre = round(coefficients[name], 2), round(centres[name], 3)
            file.write(f"{name}\t{coefficient:g}\t{centre:g}\t{reason}\n")
