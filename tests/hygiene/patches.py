# SPDX-License-Identifier: Apache-2.0 OR MIT
"""usage: patches.py PATCH...    Prints an objection for each patch whose head is wrong, or that does not apply to the
tree, as `git apply --check` would say: every hunk's old lines stand in the file, at the hunk's place or elsewhere. One
process checks all of the patches, because a thousand calls of git take minutes."""
import re
import sys

HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")
files = {}


def lines_of(path):
    if path not in files:
        with open(path, encoding="utf-8") as file:
            files[path] = file.read().split("\n")
    return files[path]


def hunks(lines):
    """Yields the path, the first line and the old lines of every hunk."""
    path, i = None, 0
    while i < len(lines):
        if lines[i].startswith("--- ") and lines[i + 1].startswith("+++ "):
            path = lines[i].split("\t")[0][4:].rstrip()
            path = None if path == "/dev/null" else path.partition("/")[2]
            i += 2
            continue
        match = HUNK.match(lines[i])
        i += 1
        if not match:
            continue
        first, count, old = int(match[1]), int(match[2] or 1), []
        while i < len(lines) and (len(old) < count or lines[i][:1] in ("+", "\\")):
            if lines[i][:1] in (" ", "-", ""):
                old.append(lines[i][1:])
            i += 1
        if len(old) != count:
            raise ValueError("a hunk is cut off")
        if path:
            yield path, first, old


HEAD = [r"# test: (?!test_)[a-z0-9_]+", r"# why: .+"]
NEEDS = r"# needs: (adx|ifma|gpu|tsan)( (adx|ifma|gpu|tsan))*"


def head(lines):
    """What is wrong with the lines before the difference: the test, the reason, and perhaps what a machine needs."""
    end = next((i for i, line in enumerate(lines) if re.match(r"(diff|---) ", line)), len(lines))
    for i in range(max(end, len(HEAD))):
        line = lines[i] if i < end else ""
        wanted = HEAD[i] if i < len(HEAD) else NEEDS
        if not re.fullmatch(wanted, line) and (i < len(HEAD) or line.startswith("#")):
            return f"line {i + 1} is not '{wanted}': {line}"
    return None


def objection(patch):
    with open(patch, encoding="utf-8") as file:
        lines = file.read().split("\n")
    why = head(lines)
    if why:
        return why
    n = 0
    for path, first, old in hunks(lines):
        n += 1
        try:
            text = lines_of(path)
        except OSError as error:
            return str(error)
        places = [first - 1, *range(len(text) - len(old) + 1)]
        if not any(text[at : at + len(old)] == old for at in places):
            return f"does not apply: line {first} of {path} is another"
    return None if n else "has no hunk"


for name in sys.argv[1:]:
    try:
        why = objection(name)
    except (OSError, ValueError, IndexError) as error:
        why = str(error)
    if why:
        print(f"{name}: {why}")
