# SPDX-License-Identifier: Apache-2.0 OR MIT
"""usage: coverage.py API FOLDER    Every function, struct and enum of the description is used in the sources of each
binding, or left out in FOLDER/left_out.txt with a reason. A reason for something that is used, or that does not exist,
is an objection, too. Constructors that take values and numbers only are called in Python and C++ by a function that
takes any of these. Python has an object for each field and curve. Option classes of C++ set every member of their
struct."""
import fnmatch
import json
import os
import re
import sys

ENDINGS = {'python': ('.py',), 'cpp': ('.hpp',), 'node': ('.c', '.h', '.js', '.cjs', '.mjs')}
KINDS = {'functions': 'function', 'structs': 'struct', 'opaque': 'struct', 'aliases': 'struct', 'enums': 'enum'}


def words_of(folder, endings):
    words = set()
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in ('node_modules', 'prebuilds', 'examples')]
        for name in files:
            if name.endswith(endings):
                with open(os.path.join(place, name), encoding='utf-8') as file:
                    words.update(re.findall(r'\brp_\w+', file.read()))
    return words


def is_plain(described, api):
    """A constructor that operations.__getattr__ in Python and construct in C++ can call."""
    types = [parameter.get('type') for parameter in described['params']]
    return (described['header'] in ('ops.h', 'transcript.h') and described['returns'] == 'rp_value' and
            types[:2] == ['rp_graph *', 'rp_value'] and
            set(types[2:]) <= {'rp_value', 'bool', 'int', 'uint32_t', 'uint64_t', *api['enums']})


def types_without_object(api, init):
    """Fields and curves that bindings/python/reprise/__init__.py does not name in __all__."""
    with open(init, encoding='utf-8') as file:
        named = set(re.findall(r"'(\w+)'", file.read()))
    for enum, prefix in (('rp_field', 'RP_FIELD_'), ('rp_curve', 'RP_CURVE_')):
        for value in api['enums'][enum]['values']:
            if not value.endswith('_COUNT') and value[len(prefix):].lower() not in named:
                yield value


def members_without_setter(api, folder):
    """Members of structs that their option class in C++, `class X : public Options<struct>`, does not name."""
    option_class = re.compile(r'class (\w+) : public Options<(\w+)> \{(.*?)\n\};', re.DOTALL)
    for place, _, files in os.walk(folder):
        for name in files:
            with open(os.path.join(place, name), encoding='utf-8') as file:
                for of, struct, body in option_class.findall(file.read()):
                    words = set(re.findall(r'\w+', body))
                    for member in api['structs'][struct]['members']:
                        if member['name'] not in words | {'struct_size'}:
                            yield f'{struct}.{member["name"]} cannot be set by {of} in {place}/{name}'


def rules_of(path):
    """Lines "binding kind:pattern reason"."""
    with open(path, encoding='utf-8') as file:
        for number, line in enumerate(file, 1):
            if line.strip() and not line.startswith('#'):
                binding, pattern, reason = (line.split(maxsplit=2) + ['', ''])[:3]
                yield f'{path}:{number}', binding, pattern, reason.strip()


def main(api_path, folder):
    with open(api_path, encoding='utf-8') as file:
        api = json.load(file)
    entries = [f'{kind}:{name}' for part, kind in KINDS.items() for name in api[part]]
    headers = {f'{kind}:{name}': 'header:' + api[part][name]['header'] for part, kind in KINDS.items()
               for name in api[part]}
    objections = []
    rules = list(rules_of(os.path.join(folder, 'left_out.txt')))
    for where, binding, pattern, reason in rules:
        if binding not in ENDINGS or not reason or ':' not in pattern:
            objections.append(f'{where}: not "binding kind:pattern reason"')
    for binding, endings in ENDINGS.items():
        if not os.path.isdir(os.path.join(folder, binding)):
            continue
        words = words_of(os.path.join(folder, binding), endings)
        if binding != 'node':
            words.update(name for name, described in api['functions'].items() if is_plain(described, api))
        missing = [entry for entry in entries if entry.split(':')[1] not in words]
        left_out = set()
        for where, of, pattern, _ in rules:
            if of == binding:
                matched = {entry for entry in missing
                           if fnmatch.fnmatch(entry, pattern) or headers[entry] == pattern}
                if not matched:
                    objections.append(f'{where}: {binding} leaves nothing out by {pattern}')
                left_out |= matched
        for entry in missing:
            if entry not in left_out:
                objections.append(f'{entry.replace(":", " ")} is not used in bindings/{binding}: use it, or add a line '
                                  f'"{binding} {entry} REASON" to bindings/left_out.txt')
        print(f'{binding}: {len(entries) - len(missing)} of {len(entries)} entries are used, '
              f'{len(left_out)} are left out with a reason')
    for value in types_without_object(api, os.path.join(folder, 'python', 'reprise', '__init__.py')):
        objections.append(f'{value} has no object in bindings/python/reprise/types.py, or __init__.py does not name it')
    objections += members_without_setter(api, os.path.join(folder, 'cpp', 'include'))
    print('\n'.join(objections))
    sys.exit(bool(objections))


if __name__ == '__main__':
    main(*sys.argv[1:])
