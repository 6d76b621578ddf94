# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Prints a C program that compiles only if the description (api.json, the argument) is what the compiler sees."""
import json
import sys


def abstract(kind, name=''):
    """A declaration of `name` (or an abstract one) of the described type."""
    if 'function' in kind:
        return function(kind['function'], f'(*{name})')
    dims = ''.join(f'[{n}]' for n in kind.get('dims', []))
    return f'{kind["type"]} {name}{dims}'


def function(described, name):
    params = ', '.join(abstract(param) for param in described['params']) or 'void'
    return f'{described["returns"]} {name}({params}{", ..." if described.get("variadic") else ""})'


def same(expression, kind, pointer):
    """`expression`, the address of the thing, has the type pointer to the described type."""
    declared = abstract(kind, pointer) if 'function' in kind or kind.get('dims') else f'{kind["type"]} {pointer}'
    print(f'_Static_assert(_Generic({expression}, {declared}: 1, default: 0), "{expression}");')


def members(path, described):
    for member in described:
        name = f'{path}{member["name"]}'
        if 'members' in member:
            members(f'{name}.', member['members'])
        elif 'function' in member:
            same(f'&{name}', member, '*')
        else:
            same(f'&{name}', member, '(*)')


api = json.load(open(sys.argv[1], encoding='utf-8'))
for header in api['headers']:
    print(f'#include <reprise/{header}>')
for name, constant in api['constants'].items():
    print(f'_Static_assert({name} == {constant["value"]}, "{name}");')
for enum in api['enums'].values():
    for name, value in enum['values'].items():
        print(f'_Static_assert({name} == {value}, "{name}");')
for name, struct in api['structs'].items():
    print(f'extern {name if name != "rp_schema" else "struct " + name} a_{name};')
    members(f'a_{name}.', struct['members'])
    # A member that is not described would make the struct longer than the list of its members.
    fields = ' '.join(f'{abstract(m, m["name"])};' if 'members' not in m else
                      'struct { ' + ' '.join(f'{abstract(i, i["name"])};' for i in m['members']) + f' }} {m["name"]};'
                      for m in struct['members'])
    print(f'struct described_{name} {{ {fields} }};')
    print(f'_Static_assert(sizeof a_{name} == sizeof(struct described_{name}), "size of {name}");')
for name, described in api['functions'].items():
    print(f'_Static_assert(_Generic(&{name}, {function(described, "(*)")}: 1, default: 0), "{name}");')
for name, described in api['callbacks'].items():
    print(f'_Static_assert(_Generic(({name})0, {function(described, "(*)")}: 1, default: 0), "{name}");')
for name, described in api['objects'].items():
    same(f'&{name}', described, '(*)')
for name, described in api['aliases'].items():
    print(f'_Static_assert(_Generic(({name} *)0, {described["type"]} *: 1, default: 0), "{name}");')
for name in api['opaque']:
    print(f'typedef {name} *opaque_{name};')
