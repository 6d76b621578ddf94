# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes the description of the public interface: every function, struct, enum, callback and constant, as JSON.

usage: describe.py COMPILER OUTPUT FOLDER ...

FOLDER/reprise/*.h are the public headers. The compiler expands their macros, so that enumerators made by lists are
there, too; this program reads the declarations. bindings/README.md says what the JSON contains.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

from c_declarations import Reader, Unreadable, base_type, declarator, enumerators, members


def preprocessed(compiler, folders, headers):
    """One text of all headers. System headers are replaced by empty ones, and attributes are left out."""
    with tempfile.TemporaryDirectory() as stubs:
        for name in ('stdbool.h', 'stddef.h', 'stdint.h'):
            with open(os.path.join(stubs, name), 'w', encoding='utf-8'):
                pass
        source = ''.join(f'#include <reprise/{header}>\n' for header in headers)
        command = [*compiler.split(';'), '-E', '-x', 'c', '-std=c11', '-nostdinc', '-U__GNUC__',
                   '-D__attribute__(x)=', f'-I{stubs}', *[f'-I{folder}' for folder in folders], '-']
        done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unreadable(done.stderr)
    return done.stdout


def macros(path):
    """Macros that are plain integers: RP_VERSION_MAJOR, RP_TYPE_USER."""
    with open(path, encoding='utf-8') as file:
        for name, value in re.findall(r'^#define (RP_[A-Z_]+) (0x[0-9a-fA-F]+|\d+)u?\b', file.read(), re.M):
            yield name, int(value, 0)


def typedef(reader, made, known, header):
    if reader.peek() in ('struct', 'enum') and (reader.peek(1) == '{' or reader.peek(2) == '{'):
        tag = reader.next()
        while reader.peek() != '{':
            reader.next()
        if tag == 'enum':
            body = {'header': header, 'values': enumerators(reader, known)}
            made['enums'][reader.next()] = body
        else:
            body = {'header': header, 'members': members(reader, known)}
            made['structs'][reader.next()] = body
    elif reader.peek() == 'struct':
        reader.next()
        tag, name = reader.next(), reader.next()
        if tag != name:
            raise Unreadable(f'{header}: typedef of {tag} as {name}')
        made['opaque'].setdefault(name, {'header': header})
    else:
        name, kind = declarator(reader, base_type(reader), known)
        if 'function' in kind:
            made['callbacks'][name] = {'header': header, **kind['function']}
        elif kind.get('type') in made['structs']:
            made['aliases'][name] = {'header': header, **kind}
        else:
            raise Unreadable(f'{header}: typedef {name} is no struct, enum or function pointer')


def declaration(reader, made, known):
    header = os.path.basename(reader.header)
    if reader.accept('typedef'):
        typedef(reader, made, known, header)
    elif reader.peek() == 'enum' and reader.peek(1) == '{':
        reader.next()
        for name, value in enumerators(reader, known).items():
            made['constants'][name] = {'header': header, 'value': value}
    elif reader.peek() == 'struct' and reader.peek(2) == '{':
        reader.next()
        name = reader.next()
        made['structs'][name] = {'header': header, 'members': members(reader, known)}
    else:
        name, kind = declarator(reader, base_type(reader), known)
        if 'function' in kind:
            made['functions'][name] = {'header': header, **kind['function']}
        else:
            made['objects'][name] = {'header': header, **kind}
    reader.expect(';')


def describe(compiler, folders):
    paths = {os.path.basename(path): path for folder in folders for path in glob.glob(f'{folder}/reprise/*.h')}
    if not paths:
        raise Unreadable(f'no headers in {", ".join(folders)}')
    known = {}
    made = {'version': '', 'headers': sorted(paths), 'constants': {}, 'enums': {}, 'structs': {}, 'opaque': {},
            'aliases': {}, 'callbacks': {}, 'functions': {}, 'objects': {}}
    for header in sorted(paths):
        for name, value in macros(paths[header]):
            known[name] = value
            made['constants'][name] = {'header': header, 'value': value}
    made['version'] = '.'.join(str(known[f'RP_VERSION_{part}']) for part in ('MAJOR', 'MINOR', 'PATCH'))
    reader = Reader(preprocessed(compiler, folders, sorted(paths)))
    while reader.peek():
        declaration(reader, made, known)
    for name in made['structs']:
        made['opaque'].pop(name, None)
    return made


def main(compiler, output, *folders):
    try:
        text = json.dumps(describe(compiler, folders), indent=1) + '\n'
    except Unreadable as error:
        sys.exit(f'describe.py: {error}')
    with open(output + '.new', 'w', encoding='utf-8') as file:
        file.write(text)
    os.replace(output + '.new', output)


if __name__ == '__main__':
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
