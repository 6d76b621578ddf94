# SPDX-License-Identifier: Apache-2.0 OR MIT
"""usage: unused.py ROOT    Objects to functions without a user.

A function that only its own file uses should be static, and one that only tests use should be theirs: what is kept
anyway is in unused.txt, with the reason. A public function must have a user somewhere, a test at least. Kernels, and
functions that count their products, are used by the tables that CMake makes from the lines `kernel` in the heads of
definitions; templates are left out."""
import pathlib
import re
import sys

CODE = {'.c', '.h', '.cpp', '.hpp', '.py', '.js', '.cjs', '.mjs'}
DEFINED = re.compile(r'(?m)^(?!static|typedef|return|else|struct \w+ \{)[A-Za-z_][\w \*]*?[ \*]\(?(\w+)\)?'
                     r'\([^;{}]*\)\s*\{')


def main():
    root = pathlib.Path(sys.argv[1])
    words, defined, calls_in_header = {}, {}, set()
    for folder in ('engine', 'ops', 'graphs', 'support', 'cli', 'shim', 'bindings', 'examples', 'tests'):
        for path in (root / folder).rglob('*'):
            if path.suffix not in CODE or 'node_modules' in path.parts:
                continue
            name = str(path.relative_to(root))
            whole = path.read_text(errors='replace')
            text = re.sub(r'/\*.*?\*/', ' ', whole, flags=re.S)
            words[name] = set(re.findall(r'[A-Za-z_]\w+', text))
            words[name] |= {f'rp_products_{word}' for word in re.findall(r'(?m)^ \* .* products:(\w+)', whole)}
            if path.suffix == '.h':
                calls_in_header |= {word for word in re.findall(r'[A-Za-z_]\w+', text)
                                    if len(re.findall(rf'\b{word}\b', text)) > 1}
            if path.suffix == '.c' and folder not in ('examples', 'tests') and not name.endswith('_tmpl.c'):
                for match in DEFINED.finditer(text):
                    defined[match[1]] = name, len(re.findall(rf'\b{match[1]}\b', text)) > 1
    kernels = {f'rp_cpu_{name}' for path in (root / 'ops').rglob('*.c')
               for name in re.findall(r'^ \* kernel (\w+) ', path.read_text(errors='replace'), flags=re.M)}
    public = set().union(*(found for name, found in words.items() if '/include/' in name))
    kept = dict(line.split(' ', 1) for line in (root / 'tests/hygiene/unused.txt').read_text().splitlines()
                if line and not line.startswith('#'))
    objections = []
    for function, (file, uses_itself) in sorted(defined.items()):
        others = [name for name, found in words.items() if function in found and name != file]
        users = [name for name in others if not name.endswith('.h') and not name.startswith('ops/ref')]
        real = [name for name in users if not name.startswith('tests/')]
        if function in kernels or function == 'main' or file.startswith(('ops/ref/', 'ops/derive/')):
            continue
        why = None
        if function in public:
            why = None if users or uses_itself else 'has no user, not even a test'
        elif not users and function not in calls_in_header:
            why = 'is used in this file only: make it static' if uses_itself else 'has no user'
        elif not real and not uses_itself and function not in calls_in_header:
            why = 'has no user but tests'
        if why and function not in kept:
            objections.append(f'{file}: {function} {why}')
        if not why and function in kept:
            objections.append(f'tests/hygiene/unused.txt: {function} has users')
    objections += [f'tests/hygiene/unused.txt: there is no function {name}' for name in kept if name not in defined]
    if len(defined) < 1000:
        objections.append(f'only {len(defined)} functions were found')
    print('\n'.join(objections))


main()
