# SPDX-License-Identifier: Apache-2.0 OR MIT
"""usage: calls.py BUILD [SOURCE FUNCTION]    Objects to sources whose functions call each other in a circle. Which
functions a source defines and calls is read from the symbols of its object; SOURCE is taken to call FUNCTION too. Calls
through tables of functions, such as those of an operation, are not seen."""
import json
import os
import pathlib
import re
import subprocess
import sys

from circles import FOLDERS, circles

# Bindings follow the interpreter's way of registering modules, and an example may be one program in two files.
CHECKED = [folder for folder in FOLDERS if folder not in ('bindings', 'examples', 'tests')]


def main():
    build = pathlib.Path(sys.argv[1])
    root = pathlib.Path(__file__).resolve().parents[2]
    source_of, defined, called = {}, {}, {}
    for command in json.loads((build / 'compile_commands.json').read_text()):
        source = os.path.relpath(command['file'], root)
        if source.split('/')[0] in CHECKED:
            source_of[str(build / re.search(r' -o (\S+)', command['command'])[1])] = source
    found = [path for path in source_of if os.path.exists(path)]
    symbols = subprocess.run(['nm', '-A', '-P', '-g', *found], capture_output=True, text=True, check=True).stdout
    for line in symbols.splitlines():
        path, _, rest = line.partition(': ')
        name, kind = rest.split()[:2]
        if kind in 'TW':
            defined.setdefault(name, source_of[path])
        elif kind == 'U':
            called.setdefault(source_of[path], set()).add(name)
    if len(sys.argv) > 2:
        called[sys.argv[2]].add(sys.argv[3])
    edges = {source: {defined[name] for name in names if name in defined} - {source}
             for source, names in called.items()}
    if len(edges) < 300:
        print(f'only {len(edges)} sources call another: their objects were not found')
    sys.setrecursionlimit(10000)
    for circle in circles(edges):
        print('functions call each other:', ', '.join(circle))


main()
