#!/usr/bin/env python3
"""One row of raw measures a commit, with labels, from one pass over a repository's history.

    extract.py REPOSITORY OUT.jsonl [NEWEST]

Labels. A line belongs to the commit that last wrote it; the pass keeps the owner of every line of every file, also
through renames and merges (the combined diff of a merge says which parent a line came from). A commit is a *fix* when
its subject says so (FIX), it is no merge, says nothing of a typo or of documentation alone, and changes at most 50
files of source. A commit *introduced a defect* when a later fix deletes or replaces a line of code (not blank, not a
comment, not an import; in a file of source) that it owned; `fixed_after` is the number of days to the first such fix.
`fixed_anywhere_after` is the same for any line that is not blank in any file but generated ones and translations.
A commit is *reverted* when a later message says "This reverts commit <its hash>"; `reverted_after` likewise.

Measures use only commits that come before in topological order.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from array import array
from collections import OrderedDict, defaultdict

from kinds import CODE, kind_of

FIX = re.compile(
    r"\b(fix(e[sd]|ing)?|bug(fix)?(es|s)?|hotfix|defects?|faults?|regress(ion|ions|ed)|crash(e[sd])?|broken|"
    r"deadlock|leak(s|ed)?|segfault|panic(s|ked)?|race condition|NPE)\b|^\W*fix",
    re.I,
)
NOT_FIX = re.compile(r"\b(typos?|spelling|docs?|documentation|comments?|changelog|lint|clippy|warnings?|format(ting)?|whitespace|pep ?8|flake8|checkstyle|javadoc)\b|^merge\b|^revert\b", re.I)
REVERTS = re.compile(r"reverts? commit ([0-9a-f]{7,40})")
TRIVIAL = re.compile(rb"^\s*($|//|#(?!\w)|\*|/\*|--|<!--|\"\"\"|'''|;|%|import\b|from\s+\S+\s+import\b|package\b|using\s|use\s|[{}()\[\];,]+\s*$)")
HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
COMBINED = re.compile(rb"^@@@ -(\d+)(?:,(\d+))? -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@@")
KEPT_VERSIONS = 250
DAY = 86400.0
WINDOW = 1095 * DAY


class Commit:
    __slots__ = ("index", "hash", "parents", "author", "when", "landed", "message", "files")


class File:
    __slots__ = ("path", "old_path", "old", "new", "added", "deleted", "code_added", "code_deleted", "hunks",
                 "lost_owners", "lost_anywhere", "binary", "size_before")


def read_commits(repository, newest):
    """The lines of a patch for every commit, oldest first. A commit whose content is not here is half told."""
    git = ["git", "-C", repository, "-c", "core.quotePath=false"]
    listed = subprocess.run([*git, "rev-list", "--reverse", "--topo-order", "-n", newest, "HEAD"], stdout=subprocess.PIPE, check=True)
    left = listed.stdout.split()
    command = [*git, "diff-tree", "--stdin", "--always", "--root", "-r", "-c", "-p", "-U0", "--full-index", "-M", "-l400",
               "--no-color", "--no-ext-diff", "--no-textconv", "--format=%x01C%x01%H%x01%P%x01%ae%x01%at%x01%ct%n%B%x01E"]
    while left:
        with tempfile.TemporaryFile() as wanted:
            wanted.write(b"\n".join(left) + b"\n")
            wanted.seek(0)
            process = subprocess.Popen(command, stdin=wanted, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=1 << 20)
            told = 0
            for line in process.stdout:
                told += line.startswith(b"\x01C\x01")
                yield line
            if process.wait() == 0:
                return
        left = left[max(1, told):]


def main():
    repository, out_path = sys.argv[1:3]
    newest = sys.argv[3] if len(sys.argv) > 3 else "1000000"
    out = open(out_path + ".part", "w")
    lines = OwnedLines()
    rows = []
    by_hash = {}
    state = History()
    stream = read_commits(repository, newest)
    for commit in commits_of(stream, lines):
        rows.append(None)
        by_hash[commit.hash] = commit.index
        if len(commit.parents) > 1:
            continue
        subject = commit.message.split("\n", 1)[0]
        fix = bool(FIX.search(subject)) and not NOT_FIX.search(subject)
        measures = measure(commit, state, fix)
        rows[commit.index] = measures
        if fix and sum(1 for f in commit.files if kind_of(f.path) == "source") <= 50:
            for f in commit.files:
                blame(rows, commit, f.lost_owners, "fixed_after")
                blame(rows, commit, f.lost_anywhere, "fixed_anywhere_after")
        for named in REVERTS.findall(commit.message):
            owner = by_hash.get(named)
            row = rows[owner] if owner is not None else None
            if row is not None:
                days = (commit.landed - row["landed"]) / DAY
                if row["reverted_after"] is None or days < row["reverted_after"]:
                    row["reverted_after"] = days
        state.learn(commit, fix)
        if commit.index % 20000 == 0:
            print(out_path, commit.index, file=sys.stderr, flush=True)
    for row in rows:
        if row is not None:
            out.write(json.dumps(row) + "\n")
    out.close()
    os.rename(out_path + ".part", out_path)


def blame(rows, commit, owners, field):
    for owner in set(owners):
        row = rows[owner] if 0 <= owner < len(rows) else None
        if row is not None and owner != commit.index:
            days = (commit.landed - row["landed"]) / DAY
            if row[field] is None or days < row[field]:
                row[field] = days


class OwnedLines:
    """Who owns each line, for the newest versions of each path."""

    def __init__(self):
        self.versions = defaultdict(OrderedDict)

    def get(self, path, blob):
        """The owners in that version; in the newest known one where it is unknown (a rename inside a merge)."""
        kept = self.versions[path]
        owners = kept.get(blob)
        if owners is None and kept:
            owners = next(reversed(kept.values()))
        return owners

    def put(self, path, blob, owners):
        kept = self.versions[path]
        kept[blob] = owners
        kept.move_to_end(blob)
        while len(kept) > KEPT_VERSIONS:
            kept.popitem(last=False)


ZERO = b"0" * 40


def commits_of(stream, lines):
    commit = None
    index = -1
    in_message = False
    message = []
    entry = None

    def finish(entry):
        if entry is None:
            return
        entry.close()

    for line in stream:
        if line.startswith(b"\x01C\x01"):
            finish(entry)
            entry = None
            if commit is not None:
                yield commit
            _, _, hash_, parents, author, at, ct = line.rstrip(b"\n").split(b"\x01")
            commit = Commit()
            index += 1
            commit.index = index
            commit.hash = hash_.decode()
            commit.parents = parents.decode().split()
            commit.author = author.decode("utf-8", "replace").lower()
            commit.when = int(at or 0)
            commit.landed = int(ct or 0)
            commit.files = []
            message = []
            in_message = True
            continue
        if in_message:
            if line.rstrip(b"\n").endswith(b"\x01E"):
                message.append(line.rstrip(b"\n")[:-2])
                commit.message = b"\n".join(m.rstrip(b"\n") for m in message).decode("utf-8", "replace")
                in_message = False
            else:
                message.append(line)
            continue
        if entry is not None and entry.wants > 0:
            entry.take(line)
            continue
        if line.startswith(b"diff --git "):
            finish(entry)
            entry = Patch(commit, lines)
            continue
        if line.startswith(b"diff --c"):
            finish(entry)
            entry = CombinedPatch(commit, lines, line)
            continue
        if entry is not None:
            entry.head(line)
    finish(entry)
    if commit is not None:
        yield commit


def unquote(path):
    path = path.rstrip(b"\n").rstrip(b"\t")
    if path.startswith(b'"'):
        path = path[1:-1]
    return path.decode("utf-8", "replace")


class Patch:
    def __init__(self, commit, lines):
        self.commit, self.lines = commit, lines
        self.wants = 0
        self.from_path = self.to_path = None
        self.old = self.new = None
        self.hunks = []
        self.file = f = File()
        f.added = f.deleted = f.code_added = f.code_deleted = f.hunks = 0
        f.lost_owners = []
        f.lost_anywhere = []
        f.binary = False
        f.size_before = 0
        self.before = None
        self.is_code = self.is_kept = False
        self.at_old = 0

    def head(self, line):
        if line.startswith(b"@@"):
            m = HUNK.match(line)
            a, b, c, d = (int(x) if x is not None else 1 for x in m.groups())
            if not self.hunks:
                self.start()
            self.hunks.append((a, b, d))
            self.file.hunks += 1
            self.wants = b + d
            self.at_old = a - 1
        elif line.startswith(b"index "):
            old, new = line[6:].split()[0].split(b"..")
            self.old, self.new = old, new
        elif line.startswith(b"--- "):
            if not line.startswith(b"--- /dev/null"):
                self.from_path = unquote(line[4:])[2:]
        elif line.startswith(b"+++ "):
            if not line.startswith(b"+++ /dev/null"):
                self.to_path = unquote(line[4:])[2:]
        elif line.startswith(b"rename from "):
            self.from_path = unquote(line[12:])
        elif line.startswith(b"rename to "):
            self.to_path = unquote(line[10:])
        elif line.startswith(b"Binary files "):
            self.file.binary = True

    def start(self):
        path = self.to_path or self.from_path
        self.is_code = kind_of(path) in CODE
        self.is_kept = kind_of(path) not in ("generated", "translation")
        if self.from_path is not None and self.old is not None and self.old != ZERO:
            self.before = self.lines.get(self.from_path, self.old)

    def take(self, line):
        first = line[:1]
        if first == b"+":
            self.wants -= 1
            self.file.added += 1
            if self.is_code and not TRIVIAL.match(line, 1):
                self.file.code_added += 1
        elif first == b"-":
            self.wants -= 1
            self.file.deleted += 1
            owner = None
            if self.before is not None and self.at_old < len(self.before) and len(line) > 2:
                owner = self.before[self.at_old]
                self.file.lost_anywhere.append(owner)
            if self.is_code and not TRIVIAL.match(line, 1):
                self.file.code_deleted += 1
                if owner is not None:
                    self.file.lost_owners.append(owner)
            self.at_old += 1
        elif first == b"\\":
            pass
        else:
            self.wants = 0

    def close(self):
        f = self.file
        f.path = self.to_path or self.from_path
        if f.path is None:
            return
        f.old_path = self.from_path
        f.old, f.new = self.old, self.new
        before = self.before
        if before is None and self.old is None and self.from_path is not None:
            # A pure rename: the owners go along, under every kept version.
            for blob, owners in list(self.lines.versions[self.from_path].items()):
                self.lines.put(self.to_path, blob, owners)
        if before is None and self.hunks and self.old == ZERO:
            before = array("i")
        if before is not None:
            f.size_before = len(before)
            after, at = array("i"), 0
            for a, b, d in self.hunks:
                upto = a if b == 0 else a - 1
                after.extend(before[at:upto])
                at = upto + b
                if d:
                    after.extend(array("i", [self.commit.index]) * d)
            after.extend(before[at:])
            if self.to_path is not None and self.new is not None and self.is_kept:
                self.lines.put(self.to_path, self.new, after)
        if kind_of(f.path) != "source":
            f.lost_owners = []
        self.commit.files.append(f)


class CombinedPatch:
    """A file that a merge took from neither parent as it was."""

    def __init__(self, commit, lines, line):
        self.commit, self.lines = commit, lines
        self.path = unquote(line.split(b" ", 2)[2])
        self.wants = 0
        self.olds = None
        self.new = None
        self.after = array("i")
        self.at = [0, 0]
        self.before = None
        self.good = True
        self.rest = [0, 0, 0]

    def head(self, line):
        if line.startswith(b"index "):
            olds, new = line[6:].split()[0].split(b"..")
            self.olds, self.new = olds.split(b","), new
            self.good = len(self.olds) == 2
            if self.good:
                self.before = [self.lines.get(self.path, old) for old in self.olds]
                known = self.before[0] if self.before[0] is not None else self.before[1]
                self.good = known is not None
                self.before = [known if owners is None else owners for owners in self.before]
        elif line.startswith(b"@@@") and self.good:
            m = COMBINED.match(line)
            if not m:
                self.good = False
                return
            a, b, c, d, e, f = (int(x) if x is not None else 1 for x in m.groups())
            upto = a if b == 0 else a - 1
            self.after.extend(self.before[0][self.at[0]:upto])
            self.at = [upto, c if d == 0 else c - 1]
            self.rest = [b, d, f]
            self.wants = 1 if b + d + f else 0

    def take(self, line):
        one, two = line[:1], line[1:2]
        if one == b"\\" :
            return
        if one == b"-" or two == b"-":
            if one == b"-":
                self.at[0] += 1
                self.rest[0] -= 1
            if two == b"-":
                self.at[1] += 1
                self.rest[1] -= 1
        else:
            owner = self.commit.index
            if two == b" ":
                if self.at[1] < len(self.before[1]):
                    owner = self.before[1][self.at[1]]
                self.at[1] += 1
                self.rest[1] -= 1
            if one == b" ":
                if self.at[0] < len(self.before[0]):
                    owner = self.before[0][self.at[0]]
                self.at[0] += 1
                self.rest[0] -= 1
            self.after.append(owner)
            self.rest[2] -= 1
        if self.rest[0] <= 0 and self.rest[1] <= 0 and self.rest[2] <= 0:
            self.wants = 0

    def close(self):
        if self.good and self.before is not None and self.new is not None:
            self.after.extend(self.before[0][self.at[0]:])
            self.lines.put(self.path, self.new, self.after)


class Touched:
    __slots__ = ("times", "authors", "fixes", "fix_times", "count")

    def __init__(self):
        self.times, self.authors, self.fix_times = [], [], []


class History:
    def __init__(self):
        self.files = {}
        self.authors = defaultdict(list)
        self.author_dirs = defaultdict(int)
        self.dir_times = defaultdict(list)
        self.dir_fixes = defaultdict(int)
        self.commits = 0

    def learn(self, commit, fix):
        self.authors[commit.author].append(commit.landed)
        self.commits += 1
        for f in commit.files:
            touched = self.files.get(f.path)
            if touched is None:
                touched = self.files[f.path] = Touched()
            touched.times.append(commit.landed)
            touched.authors.append(commit.author)
            if fix:
                touched.fix_times.append(commit.landed)
        for d in {directory(f.path) for f in commit.files}:
            self.author_dirs[(commit.author, d)] += 1
            self.dir_times[d].append(commit.landed)
            if fix:
                self.dir_fixes[d] += 1


def directory(path):
    return path.rsplit("/", 1)[0] if "/" in path else ""


def subsystem(path):
    return path.split("/", 1)[0] if "/" in path else ""


def measure(commit, state, fix):
    row = {"commit": commit.hash, "landed": commit.landed, "when": commit.when, "fix": int(fix),
           "revert": int(commit.message.lower().startswith("revert")),
           "subject": len(commit.message.split("\n", 1)[0]), "words": len(commit.message.split()),
           "fixed_after": None, "fixed_anywhere_after": None, "reverted_after": None}
    files = []
    for f in commit.files:
        kind = kind_of(f.path)
        touched = state.files.get(f.path) or (state.files.get(f.old_path) if f.old_path else None)
        info = [kind, f.added, f.deleted, f.code_added, f.code_deleted, f.hunks, f.size_before, int(f.binary),
                int(f.old == ZERO), int(f.new == ZERO), int(f.old is None or (f.old_path is not None and f.old_path != f.path)),
                len(set(f.lost_anywhere))]
        if touched is None:
            info += [0, 0, 0, -1, 0, 0, 0]
        else:
            now = commit.landed
            start = next((i for i in range(len(touched.times)) if touched.times[i] >= now - WINDOW), len(touched.times))
            times, authors = touched.times[start:], touched.authors[start:]
            fix_times = [t for t in touched.fix_times if t >= now - WINDOW]
            recent = sum(2.0 ** (-max(0, now - t) / DAY / 90) for t in times[-300:])
            fixes = sum(2.0 ** (-max(0, now - t) / DAY / 180) for t in fix_times[-300:])
            info += [len(times), len(set(authors)), len(fix_times),
                     max(0, now - touched.times[-1]) / DAY, round(recent, 4), round(fixes, 4),
                     sum(1 for a in authors if a == commit.author)]
        info.append(f.path)
        files.append(info)
    times = [t for t in state.authors[commit.author][-3000:] if t >= commit.landed - WINDOW]
    row["exp"] = len(times)
    row["rexp"] = round(sum(2.0 ** (-max(0, commit.landed - t) / DAY / 90) for t in times[-500:]), 4)
    dirs = {directory(f.path) for f in commit.files}
    row["sexp"] = max((state.author_dirs[(commit.author, d)] for d in dirs), default=0)
    row["sexp_sum"] = sum(state.author_dirs[(commit.author, d)] for d in dirs)
    row["dir_changes"] = max((len(state.dir_times[d]) for d in dirs), default=0)
    row["dir_recent"] = round(max((sum(2.0 ** (-max(0, commit.landed - t) / DAY / 90) for t in state.dir_times[d][-300:]) for d in dirs), default=0), 4)
    row["dir_fixes"] = max((state.dir_fixes[d] for d in dirs), default=0)
    row["before"] = state.commits
    row["files"] = files if len(files) <= 400 else files[:400]
    row["nf"] = len(files)
    row["author"] = hash(commit.author) & 0xFFFFFF
    return row


main()
