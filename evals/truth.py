"""Runs the judge over labelled runs and stops, and says how often each detector fires where.

Called by scripts/truth, which says what it is given. Only the standard library.
"""
import glob
import gzip
import json
import math
import os
import subprocess
import sys

import ordering
from ordering import auc

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = os.path.join(ROOT, "crates/hansei-core/src/evidence/rights.tsv")
ORDERING = os.path.join(ROOT, "crates/hansei-core/src/verdict/ordering.tsv")
ORDER = ["NONE", "LOW", "MEDIUM", "HIGH", "BLOCKER"]


def judged(lines, form, attended):
    """The judge's answers on sessions that are given a line each."""
    mode = ["--autonomy", "ask", "--attended"] if attended else ["--autonomy", "auto"]
    command = [os.environ["HANSEI"], "judge", "--format", form, "-", "--json", *mode]
    ran = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=False)
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    if len(answers) != len(lines):
        sys.exit(f"{len(lines)} sessions gave {len(answers)} answers: {ran.stderr.strip()[:400]}")
    return answers


def source(path):
    """One source: its rows, each with both answers beside it."""
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file if line.strip()]
    form = "atif" if "atif" in rows[0] else "messages"
    lines = [json.dumps(row["atif"] if form == "atif" else row) for row in rows]
    for row, alone, beside in zip(rows, judged(lines, form, False), judged(lines, form, True)):
        row["alone"], row["beside"] = alone, beside
        row.pop("atif", None)
        row.pop("messages", None)
    return rows


def share(hits, of):
    return f"{hits}/{of} ({100 * hits / of:.1f} %)" if of else "-"


def sent(rows, how):
    return sum(row[how].get("action") == "send_back" for row in rows)


def is_submitted(row):
    return (row.get("exit_status") or "").lower() == "submitted"


def rights():
    rows = {}
    with open(TABLE, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#"):
                fields = line.rstrip("\n").split("\t")
                rows[fields[0]] = fields
    return rows


def fires(row, kind, least):
    """Whether evidence of the kind is there, at a severity that acts; at any where it never does."""
    least = ORDER.index(least.upper()) if least != "-" else 1
    found = row["alone"].get("evidence", [])
    return any(e["kind"] == kind and ORDER.index(e["severity"]) >= least for e in found)


def shape(row):
    """The shape of a run, and beside it how long it was."""
    known = row["alone"]["shape"]
    return known and {**known, "steps": math.log1p(row["alone"]["calls"])}


def weighs(row, table):
    """The rows of the ordering table that the evidence on a run sets."""
    found = row["alone"].get("evidence", [])
    acting = {e["kind"] for e in found if table[e["kind"]][2] != "-" and fires(row, e["kind"], table[e["kind"]][2])}
    if not acting:
        return ["waiting"] * (row["alone"]["ending"] in ("blocked_on_human", "waiting_for_user"))
    return ["first"] + ["further"] * (len(acting) > 1)


def main(arguments):
    unknown = [word for word in arguments if word != "--write"]
    if unknown:
        sys.exit(f"usage: scripts/truth [--write]; {unknown[0]!r} is not known")
    runs = sorted(glob.glob(os.path.join(os.environ["HANSEI_RUNS"], "*.jsonl.gz")))
    own = sorted(glob.glob(os.path.join(ROOT, "evals/stops/*/*.jsonl")))
    right, wrong, stops, shapes = [], [], [], {}
    known = rights()
    for path in runs:
        name, rows = os.path.basename(path), source(path)
        labelled = {label: [row for row in rows if row.get("label") is label] for label in (True, False)}
        if labelled[True]:
            shapes[name] = [(shape(row), weighs(row, known), row["label"]) for row in labelled[True] + labelled[False]]
            handed = {label: [row for row in of if is_submitted(row)] for label, of in labelled.items()}
            right += handed[True]
            wrong += handed[False]
            figures = [auc([value(row) for row in labelled[True]], [value(row) for row in labelled[False]])
                       for value in (lambda row: row["alone"]["p_complete"], lambda row: -row["alone"]["calls"])]
            print(f"{name}: handed in, sent back unattended: right {share(sent(handed[True], 'alone'), len(handed[True]))}, "
                  f"wrong {share(sent(handed[False], 'alone'), len(handed[False]))}; attended: right "
                  f"{share(sent(labelled[True], 'beside'), len(labelled[True]))}, wrong "
                  f"{share(sent(labelled[False], 'beside'), len(labelled[False]))}; AUC of p_complete {figures[0]:.3f}, "
                  f"of fewer steps {figures[1]:.3f}")
        else:
            stops += rows
            accepted = [row for row in rows if row.get("reaction") == "accept"]
            print(f"{name}: attended: accepted {share(sent(accepted, 'beside'), len(accepted))}, all "
                  f"{share(sent(rows, 'beside'), len(rows))}; unattended: accepted {share(sent(accepted, 'alone'), len(accepted))}, "
                  f"all {share(sent(rows, 'alone'), len(rows))}")
    table = ordering.read(ORDERING)
    with_steps = ordering.left_out(shapes, table, ordering.WITH_STEPS)
    for name, figure in ordering.left_out(shapes, table).items():
        print(f"{name}: AUC of an order that was fitted on the other sources {figure:.3f}, with steps {with_steps[name]:.3f}")
    blind = {True: [], False: []}
    for path in own:
        rows = source(path)
        show_own(os.path.relpath(path, ROOT), rows)
        if os.sep + "blind" + os.sep in path:
            for row in rows:
                blind[row["label"]["send_back_unattended"]].append(row)
    accepted = [row for row in stops if row.get("reaction") == "accept"]
    if runs:
        print(f"pooled: right {share(sent(right, 'alone'), len(right))}, wrong {share(sent(wrong, 'alone'), len(wrong))}; "
              f"stops attended {share(sent(stops, 'beside'), len(stops))}, accepted {share(sent(accepted, 'beside'), len(accepted))}, "
              f"accepted unattended {share(sent(accepted, 'alone'), len(accepted))}")
    table = rights()
    print(f"\n{'detector':<24}{'right':>10}{'wrong':>10}{'accepted':>10}{'stops':>10}{'blind due':>12}{'blind not':>12}"
          "  (fires at the severity that acts)")
    for kind, fields in table.items():
        groups = (right, wrong, accepted, stops)
        counts = [sum(fires(row, kind, fields[2]) for row in group) for group in groups]
        own_figures = [sum(fires(row, kind, fields[2]) for row in blind[due]) for due in (True, False)]
        print(f"{kind:<24}" + "".join(f"{count}/{len(group)}".rjust(10) for count, group in zip(counts, groups))
              + "".join(str(figure).rjust(12) for figure in own_figures))
        read = fields[12:14] if len(fields) >= 14 else ["0", "0"]
        figures = [str(figure) for count, group in zip(counts, groups) for figure in (count, len(group))]
        table[kind] = fields[:4] + figures + read + [str(figure) for figure in own_figures]
    if "--write" in arguments and runs:
        write(table)
        ordering.write(ORDERING, shapes, ordering.read(ORDERING))


def show_own(name, rows):
    """Stops of our own sets: how many that are to be sent back are, and how many that are not."""
    for how, key in (("alone", "send_back_unattended"), ("beside", "send_back_attended")):
        def due(row):
            label = row["label"]
            if key in label:
                return label[key]
            return bool(label.get("send_back")) and (how == "alone" or bool(row.get("attended")))
        yes, no = [row for row in rows if due(row)], [row for row in rows if not due(row)]
        if not yes or not no:
            continue
        balanced = (sent(yes, how) / len(yes) + 1 - sent(no, how) / len(no)) / 2
        word = "unattended" if how == "alone" else "attended"
        print(f"{name}: {word}: caught {share(sent(yes, how), len(yes))}, falsely {share(sent(no, how), len(no))}, "
              f"balanced accuracy {balanced:.3f}")
    if any("claims" in row for row in rows):
        show_claims(name, rows)


# Kinds that writers use for one another: a named command that is a test run, a count of tests that passed.
ALIKE = [{"tests", "command", "ran"}, {"build", "command", "ran"}, {"lint", "command", "ran"}, {"types", "command", "ran"},
         {"format", "command", "ran"}, {"created", "changed", "fixed"}, {"removed", "changed"}, {"tests", "count"}]


def alike(one, other):
    other = "pull_request" if other == "pr" else other
    return one == other or any(one in kinds and other in kinds for kinds in ALIKE)


def plain(text):
    """The words and numbers of a quotation, whatever marks stand between them."""
    return " ".join("".join(c if c.isalnum() or c in "%./-_" else " " for c in text.lower()).split())


def show_claims(name, rows):
    """The claim list against the writers' own: which were found, which of those found were meant, which marks agree."""
    wanted = found = hits = meant = same = 0
    for row in rows:
        own, theirs = row["alone"].get("claims", []), row.get("claims", [])
        wanted, found = wanted + len(theirs), found + len(own)

        def fits(mine, other):
            a, b = plain(mine["quote"]), plain(other["quote"])
            return alike(mine["kind"], other["type"]) and (a.rstrip("….") in b or b.rstrip("….") in a)
        for other in theirs:
            match = [mine for mine in own if fits(mine, other)]
            if match:
                hits += 1
                exact = [mine for mine in match if mine["kind"] == other["type"]] or match
                same += any(mine["mark"] == other["mark"] for mine in exact)
        meant += sum(any(fits(mine, other) for other in theirs) for mine in own)
    if wanted and found and hits:
        print(f"{name}: claims: recall {hits / wanted:.3f}, precision {meant / found:.3f}, marks {same / hits:.3f} "
              f"({wanted} by the writer, {found} found)")


def write(table):
    with open(TABLE, encoding="utf-8") as file:
        head = [line for line in file if line.startswith("#")]
    with open(TABLE, "w", encoding="utf-8") as file:
        file.writelines(head)
        file.writelines("\t".join(fields) + "\n" for fields in table.values())


if __name__ == "__main__":
    main(sys.argv[1:])
