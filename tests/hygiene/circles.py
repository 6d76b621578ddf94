# SPDX-License-Identifier: Apache-2.0 OR MIT
"""usage: circles.py ROOT    Objects to sources that include each other in a circle, and to folders whose files do. A
folder and the folders in it are one piece of work, so that what they include of each other makes no circle."""
import os
import pathlib
import re
import sys

FOLDERS = ('engine', 'ops', 'graphs', 'cli', 'shim', 'shaders', 'bindings', 'examples')
PATHS = ('engine', 'engine/include', 'engine/support', 'ops', 'ops/include', 'graphs', 'graphs/include', 'cli', 'shim',
         'shim/include', 'shaders/cuda', 'shaders/vulkan', 'bindings/cpp/include', '')
ENDINGS = {'.c', '.h', '.hpp', '.cu', '.cuh', '.comp', '.glsl'}


def circles(edges):
    """The sets of nodes that reach each other (Tarjan's algorithm)."""
    order, low, path, found = {}, {}, [], []

    def visit(node):
        order[node] = low[node] = len(order)
        path.append(node)
        for to in sorted(edges.get(node, ())):
            if to not in order:
                visit(to)
                low[node] = min(low[node], low[to])
            elif to in path:
                low[node] = min(low[node], order[to])
        if low[node] == order[node]:
            at = path.index(node)
            if len(path) - at > 1:
                found.append(sorted(path[at:]))
            del path[at:]

    for node in sorted(edges):
        if node not in order:
            visit(node)
    return found


def main():
    sys.setrecursionlimit(10000)
    root = pathlib.Path(sys.argv[1])
    files = {str(path.relative_to(root)) for folder in FOLDERS for path in (root / folder).rglob('*')
             if path.suffix in ENDINGS and 'node_modules' not in path.parts}
    between, of_folders, example = {}, {}, {}
    for file in sorted(files):
        folder = os.path.dirname(file)
        text = (root / file).read_text(errors='replace')
        for header in re.findall(r'(?m)^\s*#\s*include\s+["<]([^">]+)[">]', text):
            places = [os.path.normpath(os.path.join(path, header)) for path in (folder, *PATHS)]
            to = next((place for place in places if place in files), None)
            if to is None or to == file:
                continue
            between.setdefault(file, set()).add(to)
            other = os.path.dirname(to)
            if not f'{folder}/'.startswith(f'{other}/') and not f'{other}/'.startswith(f'{folder}/'):
                of_folders.setdefault(folder, set()).add(other)
                example[folder, other] = f'{file} includes {to}'
    if len(between) < 300:
        print(f'only {len(between)} files include another: the sources were not found')
    for circle in circles(between):
        print('files include each other:', ', '.join(circle))
    for circle in circles(of_folders):
        print('folders include each other:', ', '.join(circle))
        for pair in sorted(example):
            if pair[0] in circle and pair[1] in circle:
                print(f'  {example[pair]}')


if __name__ == '__main__':
    main()
