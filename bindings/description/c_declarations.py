# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reads preprocessed C declarations: as much of C as the public headers use. Anything else is an error with its
line."""
import re

TOKEN = re.compile(
    r'(?P<line># (?P<number>\d+) "(?P<file>[^"]*)"[^\n]*)|(?P<name>[A-Za-z_]\w*)|(?P<int>0[xX][0-9a-fA-F]+|\d+)[uUlL]*'
    r'|(?P<dots>\.\.\.)|(?P<shift><<|>>)|(?P<mark>[{}()\[\];,*=:+\-|~])|(?P<space>\s+)|(?P<bad>.)')
QUALIFIERS = {'const', 'struct', 'enum', 'unsigned', 'signed', 'extern', 'volatile'}


class Unreadable(Exception):
    pass


class Reader:
    """A cursor over the tokens of one translation unit. `header` is the file of the current token."""

    def __init__(self, text):
        self.tokens, header, line = [], '', 0
        for match in TOKEN.finditer(text):
            kind = match.lastgroup
            if match['line']:
                header, line = match['file'], int(match['number']) - 1
            elif kind == 'space':
                line += match[0].count('\n')
            elif kind == 'bad':
                raise Unreadable(f'{header}:{line}: unexpected {match[0]!r}')
            else:
                self.tokens.append((match['int'] or match[0], header, line))
        self.at = 0

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead][0] if self.at + ahead < len(self.tokens) else ''

    @property
    def header(self):
        return self.tokens[self.at][1]

    def next(self):
        if not self.peek():
            _, header, line = self.tokens[-1]
            raise Unreadable(f'{header}:{line}: ends in the middle of a declaration')
        self.at += 1
        return self.tokens[self.at - 1][0]

    def accept(self, token):
        if self.peek() == token:
            self.at += 1
            return True
        return False

    def expect(self, token):
        if not self.accept(token):
            _, header, line = self.tokens[min(self.at, len(self.tokens) - 1)]
            raise Unreadable(f'{header}:{line}: expected {token!r}, found {self.peek()!r}')


def value_of(words, known):
    """The value of a constant expression of integers, known names and + - * | << >> ~ ( )."""
    numbers = [str(known[word]) if word in known else word for word in words]
    for number in numbers:
        if not re.fullmatch(r'0[xX][0-9a-fA-F]+|\d+|<<|>>|[-+*|~()]', number):
            raise Unreadable(f'{number!r} in a constant expression')
    return eval(' '.join(numbers), {'__builtins__': {}})  # integers and operators only


def until(reader, *ends):
    words = []
    while reader.peek() not in ends:
        words.append(reader.next())
    return words


def enumerators(reader, known):
    """{ A = 1, B, ... }"""
    values, following = {}, 0
    reader.expect('{')
    while not reader.accept('}'):
        name = reader.next()
        if reader.accept('='):
            following = value_of(until(reader, ',', '}'), known)
        values[name] = known[name] = following
        following += 1
        reader.accept(',')
    return values


def base_type(reader):
    """The words of a type before its declarator: "const rp_type"."""
    words = []
    while reader.peek() in QUALIFIERS:
        words.append(reader.next())
    if not words or words[-1] not in ('unsigned', 'signed'):
        words.append(reader.next())
    while reader.peek() in ('const', 'int', 'char', 'long', 'short'):
        words.append(reader.next())
    return ' '.join(word for word in words if word not in ('struct', 'enum', 'extern'))


def declarator(reader, base, known):
    """`* name [n]`, `(*name)(parameters)` or `name(parameters)` after the base type: (name, type)."""
    kind = base
    while reader.peek() in ('*', 'const'):
        kind += ' ' + reader.next()
    if reader.peek() == '(':
        reader.expect('(')
        reader.expect('*')
        name = reader.next()
        reader.expect(')')
        return name, {'function': signature(reader, kind, known)}
    name = reader.next() if re.match(r'[A-Za-z_]', reader.peek()) else ''
    if reader.peek() == '(':
        return name, {'function': signature(reader, kind, known)}
    made, dims = {'type': kind.replace('* *', '**')}, []
    while reader.accept('['):
        words = until(reader, ']')
        dims.append(value_of(words, known) if words else 0)
        reader.expect(']')
    if dims:
        made['dims'] = dims
    return name, made


def signature(reader, returns, known):
    """(parameters) of a function that returns `returns`."""
    made = {'returns': returns, 'params': []}
    reader.expect('(')
    while not reader.accept(')'):
        if reader.accept('...'):
            made['variadic'] = True
            continue
        name, kind = declarator(reader, base_type(reader), known)
        if kind != {'type': 'void'}:
            made['params'].append({'name': name, **kind})
        reader.accept(',')
    return made


def members(reader, known):
    """{ type a, b; ... } of a struct; a struct without a name is a member with `members` of its own."""
    made = []
    reader.expect('{')
    while not reader.accept('}'):
        if reader.peek() == 'struct' and reader.peek(1) == '{':
            reader.next()
            inner = members(reader, known)
            made.append({'name': reader.next(), 'members': inner})
        else:
            base = base_type(reader)
            while True:
                name, kind = declarator(reader, base, known)
                made.append({'name': name, **kind})
                if not reader.accept(','):
                    break
        reader.expect(';')
    return made
