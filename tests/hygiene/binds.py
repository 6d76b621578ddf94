# SPDX-License-Identifier: Apache-2.0 OR MIT
"""usage: binds.py ROOT    Objects to addresses of a kernel's arguments that a dispatch binds and the kernel of that
device does not read: such a bind pads the arguments, and the scheduler takes it for an access. What the line of a
kernel binds are the first addresses of its argument struct; the struct may have more, which only the kernels of other
devices read."""
import pathlib
import re
import sys

DEVICES = {  # the words of a kernel's line that say that the device has it; its sources; where they include from
    'cpu': (('cpu:',), ('ops/{family}/{name}_cpu_tmpl.c', 'ops/{family}/{name}_cpu.c'), ('ops',)),
    'cuda': (('cuda:', 'gpu:', 'item:'), ('shaders/cuda/{family}/{name}.cu', 'ops/{family}/{name}_item.h'),
             ('shaders/cuda', 'ops')),
    'vulkan': (('vulkan:', 'gpu:', 'item:'), ('shaders/vulkan/{family}/{name}.comp', 'ops/{family}/{name}_item.h'),
               ('shaders/vulkan', 'ops')),
}


def addresses(root):
    """Of each argument struct, its addresses in their order: an array of eight is eight times its name. A struct may
    begin with another one."""
    found, begins = {}, {}
    for path in sorted(root.glob('ops/*/*.[ch]')):
        for name, body in re.findall(r'struct rp_(\w+)_args \{(.*?)\n\};', path.read_text(), re.S):
            members = re.findall(r'RP_ADDR\([^)]*\) (\w+)(?:\[(\d+)\])?;', body)
            found[name] = [member for member, count in members for _ in range(int(count or 1))]
            first = re.match(r'\s*RP_STRUCT\(rp_(\w+)_args\)', body)
            begins[name] = first.group(1) if first else None
    return {name: found.get(begins[name], []) + own for name, own in found.items()}


def kernel_lines(root):
    """(family, name of the files, words) of every line `kernel` in the heads of definitions."""
    for path in sorted(root.glob('ops/*/*.c')):
        name = re.sub(r'_(gpu|cpu)$', '', path.stem)
        for line in re.findall(r'^ \* kernel (.*(?:\n \*        [a-z0-9_]+:.*)*)', path.read_text(), re.M):
            words = line.replace('\n *', ' ').split()
            file, _, kernel = words[0].rpartition(':')
            yield path.parent.name, file or name, [kernel, *words[1:]]


def text_of(path, folders, seen):
    """The source and what it includes, except argument structs."""
    if path in seen or not path.is_file() or path.name.endswith('_args.h'):
        return ''
    seen.add(path)
    text = path.read_text()
    for header in re.findall(r'^\s*#\s*include "([^"]+)"', text, re.M):
        text += next(filter(None, (text_of(folder / header, folders, seen) for folder in folders)), '')
    return text


def main():
    root = pathlib.Path(sys.argv[1])
    structs = addresses(root)
    checked = 0
    for family, name, words in kernel_lines(root):
        args, _, count = next(word for word in words if re.fullmatch(r'\w+/\d+', word)).partition('/')
        for device, (marks, sources, folders) in DEVICES.items():
            if not any(word.startswith(marks) for word in words):
                continue
            other = [word for word in words if re.fullmatch(r'vulkan:[a-z_]+:.+', word)]
            file = other[0].split(':')[1] if other and device == 'vulkan' else name
            text = ''.join(text_of(root / source.format(family=family, name=file),
                                   [root / folder for folder in folders], set()) for source in sources)
            bound = structs.get(args, [])[:int(count)]
            checked += 1
            if len(bound) != int(count):
                print(f'ops/{family}/{name}.c: kernel {words[0]} has {count} binds, and rp_{args}_args '
                      f'{len(bound)} addresses')
            for member in dict.fromkeys(bound):
                if not re.search(rf'(\.|->){member}\b', text):
                    print(f'ops/{family}/{name}.c: kernel {words[0]} binds {member}, which its source for {device} '
                          'does not read')
    if checked < 100:
        print(f'only {checked} kernels: the lines were not found')


main()
