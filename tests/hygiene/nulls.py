# SPDX-License-Identifier: Apache-2.0 OR MIT
"""usage: nulls.py ROOT    Writes a C program that calls every function of the public headers with NULL and 0 for all
arguments, each in a process of its own, and prints which of them break the calling rules of reprise.h: what crashes,
what gives another status than RP_ERR_ARGUMENT, and what returns a pointer, except those in ALLOWED."""
import pathlib
import re
import sys

ALLOWED = {
    # What 0 names is something: a kind, a field, a status.
    'pointer': 'rp_version rp_device_kind_name rp_status_name rp_status_text rp_view_phase rp_route_name rp_field_get '
               'rp_curve_get rp_ops_catalog rp_field_name rp_curve_name rp_type_field rp_type_canonical rp_type_affine '
               'rp_type_accumulator',
    # Functions that release an object accept NULL.
    'RP_OK': 'rp_context_try_destroy rp_device_try_close rp_pool_remove '
             # Arrays without elements.
             'rp_msm_stream_run rp_pedersen_verkle_generators rp_pairing_prepare_many rp_random_bytes '
             'rp_point_lift_many',
    'RP_ERR_BUFFER_TOO_SMALL': 'rp_groth16_public_to_json rp_plonk_public_to_json',  # likewise, and no room
    'RP_ERR_SHAPE': 'rp_pedersen_commit',  # a width of 0
}
MAIN = """
static const struct { const char *name; int (*call)(void); int has_status; const char *allowed; } all[] = {
%s
};

int main(void) {
  const unsigned n = sizeof all / sizeof *all;
  for (unsigned i = 0; i < n; i++) {
    int how;
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      _exit(all[i].call());
    }
    if (child < 0 || waitpid(child, &how, 0) != child) return 2;
    const char *got = !WIFEXITED(how) ? "a signal" : all[i].has_status ? rp_status_name((rp_status)WEXITSTATUS(how))
                      : WEXITSTATUS(how) ? "pointer" : "RP_ERR_ARGUMENT";
    if (strcmp(got, all[i].allowed) != 0) printf("%%s: NULL for everything gives %%s\\n", all[i].name, got);
  }
  printf("%%u functions\\n", n);
  return 0;
}
"""


def split(arguments):
    """The arguments of a declaration, at commas outside parentheses."""
    depth, parts = 0, ['']
    for letter in arguments:
        depth += (letter == '(') - (letter == ')')
        if letter == ',' and depth == 0:
            parts.append('')
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip() not in ('void', '...')]


def nothing(argument, structs):
    """NULL, 0 or a struct of zeros, by the type of an argument."""
    if re.search(r'[*[(]|_fn\b', argument):
        return 'NULL'
    kind = re.sub(r'\bconst\b', '', argument).split()[0]
    return f'({kind}){{0}}' if kind in structs else '0'


def main():
    headers = sorted(pathlib.Path(sys.argv[1]).glob('*/include/reprise/*.h'))
    texts = {path.name: re.sub(r'/\*.*?\*/', '', path.read_text(), flags=re.S) for path in headers}
    everything = '\n'.join(texts.values())
    structs = set(re.findall(r'^\} (rp_\w+);', everything, re.M))
    structs -= set(re.findall(r'typedef enum \w+ \{[^}]*\} (rp_\w+);', everything))
    allowed = {name: what for what, names in ALLOWED.items() for name in names.split()}
    for name in ['stdio.h', 'string.h', 'sys/wait.h', 'unistd.h', *(f'reprise/{name}' for name in texts)]:
        print(f'#include <{name}>')
    rows = []
    declaration = r'^RP_API\s+(?:RP_CHECKED\s+)?([\w\s*]+?)(rp_\w+)\(((?:[^;()]|\([^()]*\))*)\)[^;]*;'
    for result, name, arguments in re.findall(declaration, everything, re.M):
        call = f'{name}({", ".join(nothing(argument, structs) for argument in split(arguments))})'
        body = {'rp_status': f'return (int){call};'}.get(result.strip())
        body = body or (f'return {call} != NULL;' if '*' in result else f'(void){call}; return 0;')
        print(f'static int call_{name}(void) {{ {body} }}')
        rows.append(f'    {{"{name}", call_{name}, {int(result.strip() == "rp_status")}, '
                    f'"{allowed.pop(name, "RP_ERR_ARGUMENT")}"}},')
    print(MAIN % '\n'.join(rows))
    if allowed:
        sys.exit(f'nulls.py: there is no {", ".join(allowed)}')


main()
