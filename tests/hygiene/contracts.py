# SPDX-License-Identifier: Apache-2.0 OR MIT
"""usage: contracts.py ROOT    Reads the public headers, and objects to what their comments leave out or get wrong.

The comment of a declaration is the one behind it, and the one above it in its paragraph: for the first function below
that comment, and for later ones that take the same parameters, or of which a word that makes their names different is
in the comment. What only gives an object back, or fills in a struct that explains itself, needs none. Of a comment the
test demands:

 - names     a word in backticks, or with an underscore in it, is a parameter, a member, an option's or a public name
 - faults    errors that the body of a function gives by name are named, here or in the comment of a function that this
             one refers to, except those that the calling rules allow everywhere
 - pointers  a function that returns one says when it is NULL, unless it is a getter, and if it may be written through,
             who frees it or how long it is valid
 - truth     yes or no is bool: an int is what the caller's own function returns as the C library's do, or a descriptor
 - units     a parameter or member that is a size or a time ends in _bytes or _ns
 - structs   every member has a comment, is named in that of its struct, or has a name that the calling rules explain;
             a pointer to a function has a comment; a struct that may grow begins with struct_size
"""
import pathlib
import re
import sys

FOLDERS = ['engine/include/reprise', 'ops/include/reprise', 'graphs/include/reprise', 'shim/include']
EVERYWHERE = {'RP_ERR_ARGUMENT', 'RP_ERR_MEMORY', 'RP_ERR_INTERNAL', 'RP_ERR_ENUM'}  # reprise.h says when
UNDERSTOOD = re.compile(r'(struct_size|flags|name|value|graph|user|\w+_user|n|n_\w+|\w+_bytes|\w+_ns|len)$')
PLAIN = re.compile(r'_(destroy|close|end|free|release|retain|get_info|get_counters|get_plan)$')
OWNED = re.compile(r'\b(freed?|frees|belongs?|valid|lives?|keeps?|static|outlive)\b', re.I)
GROWS = re.compile(r'_(options|info|counters|config|request|ports|point|plan|source|ceilings)$')
NOT_TRUTH = {'describe', 'progress', 'rp_write_fn', 'done_fd'}
QUANTITY = re.compile(r'(?<!struct_)(size|timeout|duration|elapsed|latency|deadline|limit|memory|budget)$')
OTHERS = {'uv_async_send', 'pthread_atfork', 'aligned_alloc', 'uint32_t', 'return'}  # of C and of other libraries

objections = []


def object_to(where, why):
    place = f'{where.where}:{where.line}' if isinstance(where, Declaration) else where
    objections.append(f'{place}: {why}')


# ---- Reading -------------------------------------------------------------------------------------------------------

def pieces(text, line):
    """What stands in a file, or between the braces of a struct: (kind, text, line) of comments above a declaration,
    comments beside one, blank lines, and declarations without their semicolon."""
    depth, start = 0, None
    for token in re.finditer(r'/\*.*?\*/|\n[ \t]*(?=\n)|[;{}]|[^\s;{}/]+|/', text, re.S):
        word, here = token[0], line + text.count('\n', 0, token.start())
        if start is None:
            if word.startswith('/*'):
                begins = text.rfind('\n', 0, token.start()) + 1
                beside = ';' in re.sub(r'/\*.*?\*/', '', text[begins:token.start()])
                yield 'beside' if beside else 'above', re.sub(r'\s*\n[ *]*', ' ', word[2:-2]).strip(), here
            elif not word.strip():
                yield 'blank', '', here
            elif word not in ';}':
                start, begun = token.start(), here
                depth = int(word == '{')
            continue
        depth += (word == '{') - (word == '}')
        if word == ';' and depth == 0:
            yield 'declaration', text[start:token.start()].strip(), begun
            start = None


class Declaration:
    """A declaration with its comments. `leads`: it is the first one below the comment above."""

    def __init__(self, text, where, line, above, leads):
        self.text, self.where, self.line, self.above, self.beside, self.leads = text, where, line, above, '', leads
        bare = re.sub(r'\s+', ' ', re.sub(r'/\*.*?\*/', '', text, flags=re.S))
        self.bare = bare
        self.params, self.body, self.name, self.kind = [], None, '', 'other'
        if match := re.match(r'(?:typedef )?(?:struct|enum)(?: RP_CHECKED_TYPE)? ?(\w*) ?\{', bare):
            self.kind = 'struct' if 'struct' in bare[:match.end()] else 'enum'
            self.name = match[1] or bare.split()[-1]
            self.body = text[text.index('{') + 1:text.rindex('}')]
        elif match := re.match(r'typedef [\w ]+\**\(\*(\w+)\)\((.*)\)$', bare):
            self.kind, self.name, self.params = 'pointer', match[1], parameters(match[2])
        elif match := re.match(r'[\w ]+[ *]\(\*(\w+)\)\((.*)\)$', bare):
            self.kind, self.name, self.params = 'pointer', match[1], parameters(match[2])
        elif match := re.match(r'(?:RP_API )?(?:RP_CHECKED )?([\w ]+[ *]+)(\w+)\((.*)\)$', bare):
            self.kind, self.returns, self.name = 'function', match[1].strip(), match[2]
            self.params = parameters(match[3])
        elif match := re.match(r'.*?(\w+)(?:\[.*\])*$', bare):
            self.name = match[1]
        self.names = parameters(bare) if self.kind == 'other' and ',' in bare else [self.name]
        self.said = ''

    def own(self, first):
        """Its comment, where `first` is the first function or pointer below the comment above it."""
        words = set(self.name.split('_')) - set(first.name.split('_'))
        named = any(word in self.above.lower() for word in words)
        mine = self.leads or named or self.params and self.params == first.params
        return ' '.join(part for part in (self.above if mine else '', self.beside) if part)


def parameters(text):
    while re.search(r'\(\*(\w+)\)\([^()]*\)', text):
        text = re.sub(r'\(\*(\w+)\)\([^()]*\)', r'\1', text)
    found = [re.search(r'(\w+)(?:\[[^\]]*\])*$', part.strip()) for part in text.split(',')]
    return [match[1] for match in found if match and match[1] != 'void']


def declarations(text, where, line=1):
    found, above, leads, head = [], '', True, None
    for kind, piece, at in pieces(text, line):
        if kind == 'blank':
            above, leads = '', True
        elif kind == 'beside' and found:
            found[-1].beside = f'{found[-1].beside} {piece}'.strip()
        elif kind in ('above', 'beside'):
            head = piece if head is None else head
            if not piece.startswith('----'):
                above, leads = piece, True
        else:
            found.append(Declaration(piece, where, at, above, leads))
            leads = leads and found[-1].kind in ('struct', 'enum', 'other')
    return found, head or ''


def read(path, root):
    text = path.read_text()
    text = re.sub(r'(?m)^[ \t]*#(?:\\\n|/\*(?:.|\n)*?\*/|[^\n\\])*', lambda m: '\n' * m[0].count('\n') + ';', text)
    text = re.sub(r'__attribute__\(\([^()]*(?:\([^()]*\))?[^()]*\)\)', '', text)
    text = re.sub(r'extern "C" \{|(?m:^\}$)', '', text)
    return declarations(text, str(path.relative_to(root)))


# ---- The rules -----------------------------------------------------------------------------------------------------

def check_names(d, allowed):
    """Words in backticks begin with a name; a plain word with an underscore is one."""
    words = [re.split(r'[.(\[ =]|->', word)[0].lstrip('*&') for word in re.findall(r'`([^`]+)`', d.said)]
    plain = re.sub(r'"[^"]*"|`[^`]*`', '', d.said)
    words += re.findall(r'(?<![\w.<:/^-])([a-z][a-z0-9]+_[a-z0-9_]+)(?![\w.(:*-])', plain)
    for word in words:
        if re.fullmatch(r'[a-z_][a-z0-9_]*', word) and word not in allowed:
            object_to(d, f'{d.name}: its comment names {word}, which does not exist')


def check_function(d, faults, allowed):
    if not d.said and not PLAIN.search(d.name):
        object_to(d, f'{d.name} has no comment')
    for fault in sorted(faults.get(d.name, set()) - allowed):
        object_to(d, f'{d.name} gives {fault}, and its comment does not say when')
    if '*' in d.returns:
        if 'NULL' not in d.said and len(d.params) != 1:  # getters: reprise.h
            object_to(d, f'{d.name}: its comment does not say when it returns NULL')
        if 'const' not in d.returns and not OWNED.search(d.said):
            object_to(d, f'{d.name}: its comment does not say how long the result is valid, or who frees it')
    if 'shim' not in d.where:  # whose names are those of rapidsnark
        check_units(d, d.name, d.params)


def check_units(d, name, words):
    for word in words:
        if QUANTITY.search(word) and not re.search(rf'\*{word}\b', d.bare):
            object_to(d, f'{name}: {word} has no unit in its name')


def check_truth(d, name):
    if re.search(r'\bint\b', d.bare) and d.name not in NOT_TRUTH and 'shim' not in d.where:
        object_to(d, f'{name} has an int: bool for yes or no, else a type with a size')


def named_by_type(m, name):
    """rp_spmv_scheme scheme, const rp_kernel *kernel, rp_order in_order: the comment is that of the type."""
    kind = re.search(r'\brp_(\w+)', m.bare)
    return kind and kind[1].split('_')[-1] == name.split('_')[-1]


def check_struct(d):
    if GROWS.search(d.name) and not re.match(r'\s*(/\*.*?\*/\s*)*uint32_t struct_size;', d.body, re.S):
        object_to(d, f'{d.name} does not begin with struct_size')
    members, _ = declarations(d.body, d.where, d.line)
    for m in members:
        if m.kind == 'struct':
            check_struct(m)
            continue
        said = m.beside or (m.leads and m.above) or any(re.search(rf'\b{n}\b', m.above) for n in m.names)
        if m.kind == 'pointer' and not said and not re.search(rf'\b{m.name}\b', d.said):
            object_to(m, f'{d.name}.{m.name}, a pointer to a function, has no comment')
        for name in m.names:
            told = said or UNDERSTOOD.match(name) or re.search(rf'\b{name}\b', d.said) or named_by_type(m, name)
            if not told:
                object_to(m, f'{d.name}.{name} has no comment')
        check_units(m, d.name, m.names)
        check_truth(m, f'{d.name}.{m.name}')


# ---- What the library does -----------------------------------------------------------------------------------------

def faults_of(root):
    """The errors that the body of each function gives by name."""
    found = {}
    for folder in ('engine', 'ops', 'graphs'):
        for path in (root / folder).rglob('*.c'):
            text = path.read_text(errors='replace')
            for match in re.finditer(r'(?m)^rp_status \(?(rp_\w+)\)?\([^;{]*\{\n(.*?)^\}', text, re.S | re.M):
                codes = set(re.findall(r'(?<![=!]= )\bRP_ERR_[A-Z_]+', match[2]))
                found.setdefault(match[1], set()).update(codes - EVERYWHERE)
    return found


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    faults, all_found, known = faults_of(root), [], set()
    for folder in FOLDERS:
        for path in sorted((root / folder).glob('*.h')):
            found, head = read(path, root)
            if folder != FOLDERS[-1] and path.name not in ('reprise.h', 'attributes.h', 'expr.h') and \
                    'alling rules' not in head:
                object_to(path.name, 'its head does not refer to the calling rules of reprise.h')
            all_found.append((found, head))
            for d in found:
                known.update([d.name, *d.params])
                for m in declarations(d.body, '')[0] if d.kind == 'struct' else []:
                    known.update([*m.names, *m.params])
                    known.update(n for k in (declarations(m.body, '')[0] if m.body else []) for n in k.names)
            known.update(re.findall(r'#define (\w+)', path.read_text()))
    said_by = {}
    for found, head in all_found:
        first, before = None, None
        for d in found:
            if d.leads and d.kind in ('function', 'pointer'):
                first = d
            d.said = d.own(first or d)
            if before is not None and re.match(r'(The same|Likewise|As |Also|In the same way)', d.said):
                said_by[d.name] = f'{d.said} {said_by[before.name]} {head}'
            else:
                said_by[d.name] = f'{d.said} {head}'
            if d.kind == 'function':
                before = d
    for found, _ in all_found:
        for d in found:
            check_names(d, known | OTHERS)
            if d.kind in ('function', 'pointer'):
                check_truth(d, d.name)
            if d.kind == 'struct':
                check_struct(d)
            elif d.kind == 'pointer' and not d.said:
                object_to(d, f'{d.name}, a pointer to a function, has no comment')
            elif d.kind == 'function':
                text = said_by[d.name]
                for other in re.findall(r'\brp_\w+', text):
                    text += ' ' + said_by.get(other, '')
                check_function(d, faults, set(re.findall(r'RP_ERR_[A-Z_]+', text)))
    for line in objections:
        print(line)
    print(f'{sum(len(found) for found, _ in all_found)} declarations, {len(objections)} objections')
    sys.exit(bool(objections))


main()
