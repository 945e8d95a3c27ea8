"""From a row of extract.py to the numbers that the score is made of: crates/hansei-core/src/risk/likelihood/measures.rs."""

import math

from kinds import kind_of

LINE_WEIGHTS = {"source": 1.0, "test": 0.5, "other": 0.5, "docs": 0.3, "generated": 0.01, "translation": 0.01}
NEUTRAL = ("docs", "generated", "translation")
MOST_FILES = 100
# The columns of a file in a row.
KIND, ADDED, DELETED, CHANGES, AUTHORS, FIXES, RECENT, RECENT_FIXES, PATH = 0, 1, 2, 12, 13, 14, 16, 17, 19

# Measure, and the sign that its weight may have.
SIGNS = {"added": 1, "deleted": 1, "spread": 1, "directories": 1, "subsystems": 1, "recent_changes": 1,
         "recent_fixes": 1, "share_of_fixes": 1, "authors": 1, "experience": -1}
# What the program uses: the fit, rounded; see docs/risk.md.
USED = {"added": 0.65, "deleted": 0.05, "spread": 0.01, "directories": 0.03, "subsystems": 0.03, "recent_changes": 0.04,
        "recent_fixes": 0.07, "share_of_fixes": 0.2, "authors": 0.02, "experience": -0.02}


def measures(row, line_weights=LINE_WEIGHTS):
    added = deleted = 0.0
    sizes, directories, subsystems, pasts = [], set(), set(), []
    for file in row["files"]:
        path = file[PATH]
        kind = kind_of(path)
        added += line_weights[kind] * file[ADDED]
        deleted += line_weights[kind] * file[DELETED]
        if kind in NEUTRAL:
            continue
        directories.add(path.rsplit("/", 1)[0] if "/" in path else "")
        subsystems.add(path.split("/", 1)[0] if "/" in path else "")
        if file[ADDED] + file[DELETED]:
            sizes.append(file[ADDED] + file[DELETED])
        pasts.append(file)
    pasts = sorted(pasts, key=lambda file: file[PATH])[:MOST_FILES]
    total = sum(sizes)
    changes = sum(file[CHANGES] for file in pasts)
    return {
        "added": math.log1p(added),
        "deleted": math.log1p(deleted),
        "spread": math.log1p(max(0.0, sum(size * math.log2(total / size) for size in sizes))),
        "directories": math.log1p(len(directories)),
        "subsystems": math.log1p(len(subsystems)),
        "recent_changes": math.log1p(max((file[RECENT] for file in pasts), default=0)),
        "recent_fixes": math.log1p(sum(file[RECENT_FIXES] for file in pasts)),
        "share_of_fixes": sum(file[FIXES] for file in pasts) / max(1, changes),
        "authors": math.log1p(max((file[AUTHORS] for file in pasts), default=0)),
        "experience": math.log1p(row["exp"]),
    }


def lines(row):
    """Lines added and deleted, whatever the files are."""
    return sum(file[ADDED] for file in row["files"]), sum(file[DELETED] for file in row["files"])


def went_wrong(row, field="fixed_after"):
    """Whether the commit was fixed (`fixed_after`, `fixed_anywhere_after`) or reverted, at any later time."""
    return int(row[field] is not None or row["reverted_after"] is not None)
