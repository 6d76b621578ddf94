# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Operations of one's own: a kernel in C, called through its address, with a shape rule in Python.

    kernel = ctypes.CDLL("./libmine.so").cube              # void cube(const void *args, uint64_t begin, uint64_t end,
    cube = rp.Operation("cube", kernel, n_in=1)            #           const rp_cpu_worker *worker)
    y = cube(x)
    g.save("g.rpg")
    h = rp.Graph.load("g.rpg", operations=[cube])          # a file names it; who loads the file has to have it

The kernel's arguments are the addresses of the operands, then those of the results, then the parameters as uint32_t,
padded to a multiple of 8 bytes. It computes items [begin, end); the number of items is the length of the first result.
It is called from the threads of the CPU device, so that it must be C (or any other code without Python's lock).
reprise/op.h says what kernels may do.
"""
import ctypes
from typing import Any, Callable, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from . import c
from .graphs import Value
from .types import Type

OK = int(c.RP_OK)

Shape = Callable[[List[str], List[int], Sequence[int]], Sequence[Tuple[Type, int]]]
_kept: List[Any] = []  # operations must outlive every graph and recording, as static objects do in C


class Operation:
    """params: the names of the parameters, or a mapping from names to the smallest and the largest value allowed.
    shape: called with the names of the operands' types, their lengths and the parameters; it returns the type and
    length of each result. By default there is one result, of the type and length of the first operand.
    pure: the results depend on operands and parameters alone, so that equal nodes may be computed once.
    version: written into saved graphs; raise it when the operation comes to mean something else, so that a file of
    another version is refused.
    """

    def __init__(self, name: str, kernel: Any, n_in: int, *, n_out: int = 1,
                 params: Union[Sequence[str], Mapping[str, Tuple[int, int]]] = (), shape: Optional[Shape] = None,
                 pure: bool = True, version: int = 1) -> None:
        self.name, self.n_in, self.n_out, self.params = name, n_in, n_out, tuple(params)
        self._user_shape = shape
        self._raised: Optional[BaseException] = None
        binds = n_in + n_out
        self._args_bytes = 8 * binds + 8 * -(-len(self.params) // 2)
        self._variant = c.rp_cpu_variant(isa=c.RP_ISA_C, run=ctypes.cast(kernel, c.rp_cpu_fn))
        self._kernel = c.options('rp_kernel', name=name.encode(), args_bytes=self._args_bytes, n_binds=binds, n_cpu=1)
        self._kernel.cpu = ctypes.pointer(self._variant)
        self._strategy = c.rp_strategy(name=b'kernel', devices=1 << c.RP_DEVICE_CPU)
        self._strategy.lower = type(self._strategy.lower)(self._lower)
        self._op = c.options('rp_op', name=name.encode(), params_bytes=4 * len(self.params), n_strategies=1,
                             flags=pure * c.RP_OP_PURE)
        self._op.shape = type(self._op.shape)(self._shape)
        self._op.strategies = ctypes.pointer(self._strategy)
        self._declare(params if isinstance(params, Mapping) else {}, version)
        _kept.append((self, kernel))

    def _declare(self, ranges: Mapping[str, Tuple[int, int]], version: int) -> None:
        """The schema, by which nodes are checked, saved and loaded."""
        self._fields = (c.rp_param * max(len(self.params), 1))()
        for i, name in enumerate(self.params):
            field = self._fields[i]
            field.name, field.kind, field.offset, field.bytes = name.encode(), c.RP_PARAM_UINT, 4 * i, 4
            field.least, field.most = ranges.get(name, (0, 2**32 - 1))
        self._schema = c.options('rp_schema', version=version, oldest=version, n_params=len(self.params),
                                 least_in=self.n_in, most_in=self.n_in, least_out=self.n_out, most_out=self.n_out)
        self._schema.params = ctypes.cast(self._fields, ctypes.POINTER(c.rp_param))
        self._op.schema = ctypes.pointer(self._schema)

    def _values(self, params: Any) -> Any:
        return (ctypes.c_uint32 * len(self.params)).from_address(params) if params else ()

    def _shape(self, pointer: Any) -> int:
        shape = pointer.contents
        kinds = ctypes.cast(shape.in_type, ctypes.POINTER(ctypes.POINTER(c.rp_type)))
        lengths = ctypes.cast(shape.in_len, ctypes.POINTER(ctypes.c_uint64))
        out_type = ctypes.cast(shape.out_type, ctypes.POINTER(ctypes.c_void_p))
        out_len = ctypes.cast(shape.out_len, ctypes.POINTER(ctypes.c_uint64))
        if self._user_shape is None:
            for i in range(shape.n_out):
                out_type[i], out_len[i] = ctypes.c_void_p.from_address(shape.in_type).value, lengths[0]
            return OK
        try:
            names = [kinds[i].contents.name.decode() for i in range(shape.n_in)]
            made = self._user_shape(names, [lengths[i] for i in range(shape.n_in)], list(self._values(shape.params)))
            if len(made) != shape.n_out:
                raise ValueError(f'{self.name}: the shape rule gives {len(made)} results instead of {shape.n_out}')
            for i, (kind, length) in enumerate(made):
                out_type[i] = ctypes.cast(kind.struct, ctypes.c_void_p).value
                out_len[i] = length
            return OK
        except BaseException as raised:  # pylint: disable=broad-except
            self._raised = raised  # raised where the node is made
            return int(c.rp_shape_fail(pointer, c.RP_ERR_SHAPE, b'%s', str(raised).encode()))

    def _lower(self, lower: int) -> int:
        args = (ctypes.c_uint8 * self._args_bytes)()
        if self.params:
            ctypes.memmove(ctypes.addressof(args) + 8 * (self.n_in + self.n_out), c.rp_lower_params(lower),
                           4 * len(self.params))
        binds = (c.rp_bind * (self.n_in + self.n_out))()
        for i in range(self.n_in):
            binds[i].value, binds[i].access = c.rp_lower_in(lower, i), c.RP_READ
        for i in range(self.n_out):
            binds[self.n_in + i].value, binds[self.n_in + i].access = c.rp_lower_out(lower, i), c.RP_WRITE
        dispatch = c.rp_dispatch(n_binds=len(binds), args_bytes=self._args_bytes)
        dispatch.kernel = ctypes.pointer(self._kernel)
        dispatch.binds = ctypes.cast(binds, ctypes.POINTER(c.rp_bind))
        dispatch.args = ctypes.addressof(args)
        items = c.rp_lower_len(lower, c.rp_lower_out(lower, 0))
        if items >= 2**32:
            return int(c.rp_lower_fail(lower, c.RP_ERR_UNSUPPORTED, b'more than 2^32 - 1 items'))
        dispatch.groups[0] = items
        c.rp_lower_dispatch(lower, ctypes.byref(dispatch))
        return OK

    def __call__(self, *operands: Value, **params: int) -> Union[Value, List[Value]]:
        if len(operands) != self.n_in or set(params) != set(self.params):
            raise TypeError(f'{self.name} takes {self.n_in} operands and the parameters {list(self.params)}')
        graph = operands[0].graph
        given = (ctypes.c_uint32 * max(len(self.params), 1))(*[params[name] for name in self.params])
        raws = (c.rp_value * len(operands))(*[operand.raw for operand in operands])
        made = (c.rp_value * self.n_out)()
        self._raised = None
        c.rp_graph_node(graph.pointer, ctypes.byref(self._op), ctypes.byref(given) if self.params else None, raws,
                        len(operands), made, self.n_out)
        if self._raised is not None:
            raise self._raised
        results = [graph.made(c.rp_value(raw.id, raw.graph)) for raw in made]
        return results[0] if self.n_out == 1 else results


def catalogs(operations: Iterable[Operation]) -> Tuple[Any, Tuple[Any, ...]]:
    """An array with one catalog of these operations, for loading saved graphs, and what must live as long as it."""
    ops = [operation._op for operation in operations]  # pylint: disable=protected-access
    addresses = (ctypes.c_void_p * max(len(ops), 1))(*[ctypes.addressof(op) for op in ops])
    made = c.rp_catalog(n_ops=len(ops), ops=ctypes.addressof(addresses))
    return (ctypes.c_void_p * 1)(ctypes.addressof(made)), (made, addresses)
