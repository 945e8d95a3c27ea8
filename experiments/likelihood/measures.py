"""From a row of extract.py to the numbers that candidate scores are made of."""

import math

from kinds_of_paths import kind_of

CLASSES = ("source", "test", "other", "docs", "generated", "translation")
NEUTRAL = ("docs", "generated", "translation")


def label(row, days):
    """Whether the commit was fixed or reverted within `days`."""
    fixed, reverted = row["fixed_after"], row["reverted_after"]
    return int((fixed is not None and fixed <= days) or (reverted is not None and reverted <= days))


def log(x):
    return math.log1p(max(0.0, x))


def measures(row):
    m = {}
    files = [[kind_of(f[-1]), *f[1:]] for f in row["files"]]
    by = {k: [0, 0, 0, 0, 0] for k in CLASSES}
    for f in files:
        b = by[f[0]]
        b[0] += f[1]; b[1] += f[2]; b[2] += 1; b[3] += f[3]; b[4] += f[4]
    m["la_raw"] = sum(f[1] for f in files)
    m["ld_raw"] = sum(f[2] for f in files)
    for k in CLASSES:
        m["la_" + k] = log(by[k][0])
        m["ld_" + k] = log(by[k][1])
        m["nf_" + k] = log(by[k][2])
    m["size_a"] = [by[k][0] for k in CLASSES]
    m["size_d"] = [by[k][1] for k in CLASSES]
    m["la"] = log(m["la_raw"]); m["ld"] = log(m["ld_raw"])
    m["cla_source"] = log(by["source"][3])
    m["cld_source"] = log(by["source"][4])
    m["code_la"] = log(by["source"][0] + by["other"][0] * 0.3 + by["test"][0] * 0.2)
    alive = [f for f in files if f[0] not in NEUTRAL]
    src = [f for f in files if f[0] == "source"]
    for name, group in (("all", files), ("alive", alive), ("src", src)):
        sizes = [f[1] + f[2] for f in group if f[1] + f[2] > 0]
        total = sum(sizes)
        m["spread_" + name] = log(sum(s * math.log2(total / s) for s in sizes)) if total else 0.0
        m["entropy_" + name] = sum(s / total * math.log2(total / s) for s in sizes) if total else 0.0
        m["nf_" + name] = log(len(group))
        m["nd_" + name] = log(len({f[-1].rsplit("/", 1)[0] if "/" in f[-1] else "" for f in group}))
        m["ns_" + name] = log(len({f[-1].split("/", 1)[0] if "/" in f[-1] else "" for f in group}))
    m["hunks"] = log(sum(f[5] for f in src))
    m["size"] = log(max((f[6] for f in src), default=0))
    m["size_sum"] = log(sum(f[6] for f in src))
    m["new"] = log(sum(f[8] for f in src))
    m["has_new"] = float(any(f[8] for f in src))
    m["gone"] = log(sum(f[9] for f in src))
    m["renamed"] = log(sum(f[10] for f in src))
    pick = lambda i, g=src: [f[i] for f in g]
    m["ndev_max"] = log(max(pick(13), default=0))
    m["ndev_mean"] = log(sum(pick(13)) / max(1, len(src)))
    m["nuc_max"] = log(max(pick(12), default=0))
    m["nuc_sum"] = log(sum(pick(12)))
    m["nuc_mean"] = log(sum(pick(12)) / max(1, len(src)))
    m["fixes_max"] = log(max(pick(14), default=0))
    m["fixes_sum"] = log(sum(pick(14)))
    m["age_min"] = log(min((f[15] for f in src if f[15] >= 0), default=0))
    m["recent_max"] = log(max(pick(16), default=0))
    m["recent_sum"] = log(sum(pick(16)))
    m["rfix_max"] = log(max(pick(17), default=0))
    m["rfix_sum"] = log(sum(pick(17)))
    m["own_max"] = log(max(pick(18), default=0))
    for name, group in (("alive", alive), ("all", files)):
        top = lambda i, group=group: max((f[i] for f in group), default=0)
        mean = lambda i, group=group: sum(f[i] for f in group) / max(1, len(group))
        m["recent_" + name] = log(top(16)); m["rfix_" + name] = log(top(17)); m["ndev_" + name] = log(top(13))
        m["fixes_" + name] = log(top(14)); m["nuc_" + name] = log(top(12))
        m["recent_mean_" + name] = log(mean(16)); m["rfix_mean_" + name] = log(mean(17)); m["ndev_mean_" + name] = log(mean(13))
        m["recent_sum_" + name] = log(sum(f[16] for f in group)); m["rfix_sum_" + name] = log(sum(f[17] for f in group))
        m["own_" + name] = log(top(18)); m["size_" + name] = log(top(6)); m["hunks_" + name] = log(sum(f[5] for f in group))
        m["new_" + name] = log(sum(f[8] for f in group))
        m["fixshare_" + name] = sum(f[14] for f in group) / max(1, sum(f[12] for f in group))
        m["age_" + name] = log(min((f[15] for f in group if f[15] >= 0), default=1095))
    touched = sum(pick(12))
    m["stranger"] = 1.0 - sum(pick(18)) / touched if touched else 0.0
    m["stranger0"] = float(touched > 0 and sum(pick(18)) == 0)
    m["exp"] = log(row["exp"]); m["rexp"] = log(row["rexp"])
    m["sexp"] = log(row["sexp"])
    m["inexp"] = 1.0 / (1.0 + row["exp"])
    m["dir_recent"] = log(row["dir_recent"]); m["dir_changes"] = log(row["dir_changes"]); m["dir_fixes"] = log(row["dir_fixes"])
    m["fix"] = row["fix"]; m["revert"] = row["revert"]
    m["words"] = log(row["words"])
    m["no_source"] = float(not src)
    m["deletion"] = float(bool(src) and by["source"][0] == 0)
    m["before"] = log(row["before"])
    return m
