# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The C interface as it is: every public function, struct, enum and constant, made from the description of the headers.

    from reprise import c
    c.rp_version()                                    # functions, with the types of their arguments
    c.rp_ntt_options(struct_size=..., inverse=1)      # structs, as ctypes structures
    c.enums["rp_root"]["RP_ROOT_SNARKJS"]             # enumerators by name; also c.RP_ROOT_SNARKJS

The rules of reprise.h hold here: who owns what, and what must be kept. `call` adds the check of the status. Pointers to
objects, to memory and to numbers are integers or None (ctypes.c_void_p); pointers to structs are typed.
"""
import ctypes
import ctypes.util
import json
import os
from typing import Any, Dict

from .errors import Error

__all__ = ['api', 'lib', 'enums', 'call', 'options', 'info', 'choice', 'name_of']
_folder = os.path.dirname(os.path.abspath(__file__))
_numbers = {'void': None, 'bool': ctypes.c_bool, 'char': ctypes.c_char, 'int': ctypes.c_int, 'double': ctypes.c_double,
            'float': ctypes.c_float, 'size_t': ctypes.c_size_t,
            **{f'{sign}int{bits}_t': getattr(ctypes, f'c_{sign}int{bits}') for sign in ('u', '') for bits in
               (8, 16, 32, 64)}}


def _load() -> ctypes.CDLL:
    """REPRISE_LIBRARY, the library in this package, or that of the system, in this order."""
    major = api['version'].split('.', maxsplit=1)[0]
    named = os.environ.get('REPRISE_LIBRARY')
    inside = os.path.join(_folder, f'libreprise.so.{major}')
    path = named or (inside if os.path.exists(inside) else f'libreprise.so.{major}')
    try:
        loaded = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f'reprise: the library cannot be loaded: {error}. Install a wheel that contains it, install '
                          f'Reprise {api["version"]}, or set REPRISE_LIBRARY to the path of libreprise.so.') from None
    loaded.rp_version.restype = ctypes.c_char_p
    found = loaded.rp_version().decode()
    if found.split('.')[:2] != api['version'].split('.')[:2]:
        raise ImportError(f'reprise: {path} is version {found}, and this package is for {api["version"]}.')
    return loaded


def _type(kind: Dict[str, Any]) -> Any:
    """The ctypes type of a described parameter, member or result."""
    if 'function' in kind:
        return _callback(kind['function'])
    base, stars = kind['type'].replace('const', '').replace('*', '').strip(), kind['type'].count('*')
    if base in _callbacks and not stars:
        made = _callbacks[base]
    elif base in api['enums']:
        made = ctypes.c_int
    else:
        made = _structs.get(base) or _numbers.get(base)
    if stars == 1 and base == 'char':
        made = ctypes.c_char_p
    elif stars:
        made = ctypes.c_void_p if stars > 1 or base not in _structs else ctypes.POINTER(made)
    for n in reversed(kind.get('dims', [])):
        made = made * n
    return made


def _parameter(kind: Dict[str, Any]) -> Any:
    """Arrays are passed as pointers, and so are pointers to text that is written to."""
    if kind.get('dims') or kind.get('type') == 'char *':
        return ctypes.c_void_p
    return _type(kind)


def _callback(described: Dict[str, Any]) -> Any:
    result = _type({'type': described['returns']})
    return ctypes.CFUNCTYPE(result, *[_parameter(kind) for kind in described['params']])


def _fields(owner: str, members: Any) -> Any:
    for member in members:
        if 'members' in member:
            inner: Any = type(f'{owner}_{member["name"]}', (ctypes.Structure,), {})
            inner._fields_ = list(_fields(inner.__name__, member['members']))
            yield member['name'], inner
        else:
            yield member['name'], _type(member)


def _make() -> None:
    for name in api['structs']:
        _structs[name] = type(name, (ctypes.Structure,), {'__module__': __name__})
    for name, described in api['aliases'].items():
        _structs[name] = _structs[described['type']]
    for name, described in api['callbacks'].items():
        _callbacks[name] = _callback(described)
    waiting = dict(api['structs'])
    while waiting:  # a struct that contains another comes after it, whatever the order of the headers
        for name, described in list(waiting.items()):
            inside = {member.get('type', '').replace('const ', '') for member in described['members']}
            if not inside & waiting.keys():
                _structs[name]._fields_ = list(_fields(name, waiting.pop(name)['members']))
    for name, described in api['functions'].items():
        function = getattr(lib, name)
        function.restype = _type({'type': described['returns']})
        function.argtypes = [_parameter(kind) for kind in described['params']]
        globals()[name] = function
    globals().update(_structs)
    globals().update(_callbacks)
    for name in api['objects']:
        globals()[name] = _structs['rp_type'].in_dll(lib, name)
    for enum in api['enums'].values():
        globals().update(enum['values'])
    globals().update((name, constant['value']) for name, constant in api['constants'].items())


with open(os.path.join(_folder, 'api.json'), encoding='utf-8') as _file:
    api: Dict[str, Any] = json.load(_file)
enums: Dict[str, Dict[str, int]] = {name: enum['values'] for name, enum in api['enums'].items()}
lib = _load()
_structs: Dict[str, Any] = {}
_callbacks: Dict[str, Any] = {}
_make()
_Reason = _structs['rp_error']
_statuses = {value: name for name, value in enums['rp_status'].items()}


def __getattr__(name: str) -> Any:  # for type checkers: everything else is made from the description
    raise AttributeError(f'the C interface of Reprise {api["version"]} has no {name!r}')


def call(function: Any, *arguments: Any) -> None:
    """Calls a function whose last parameter is `rp_error *err`, and raises Error with its reason."""
    reason = _Reason()
    status = function(*arguments, ctypes.byref(reason))
    if status:
        raise fault(status, reason)


def fault(status: int, reason: Any = None) -> Error:
    text = reason.reason.decode(errors='replace') if reason is not None else ''
    return Error(status, _statuses.get(status, str(status)), text or lib.rp_status_text(status).decode())


def options(name: str, /, **members: Any) -> Any:
    """An option struct with struct_size set; members that are None have their defaults."""
    made = _structs[name](**{key: value for key, value in members.items() if value is not None})
    made.struct_size = ctypes.sizeof(made)
    return made


info = options  # what the library fills in begins with struct_size, too


def text_writer(write: Any) -> Any:
    """An rp_write_fn whose text, which does not end with NUL, arrives as an address."""
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
    return ctypes.cast(kind(write), _callbacks['rp_write_fn'])


def choice(enum: str, word: str) -> int:
    """The enumerator of `enum` for a word such as "snarkjs": RP_ROOT_SNARKJS of rp_root."""
    values = enums[enum]
    prefix = os.path.commonprefix(list(values))
    prefix = prefix[:prefix.rindex('_') + 1]
    key = prefix + str(word).upper().replace('-', '_')
    if key not in values:
        known = ', '.join(repr(name[len(prefix):].lower()) for name in values if not name.endswith('_COUNT'))
        raise ValueError(f'{word!r} is none of {known}')
    return values[key]


def name_of(enum: str, value: int) -> str:
    """The word of an enumerator: the inverse of `choice`."""
    values = enums[enum]
    prefix = os.path.commonprefix(list(values))
    prefix = prefix[:prefix.rindex('_') + 1]
    return next((name[len(prefix):].lower() for name, known in values.items() if known == value), str(value))
