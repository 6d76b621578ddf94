# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Graphs and their values. Operations on values are in reprise.operations and, for arithmetic, are operators."""
import contextlib
import ctypes
from typing import Any, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Set, Union

from . import c, drawing, viewing
from .devices import Context, Device, default_context
from .handles import Handle, Owner, out
from .types import Curve, Type, memory


class PlanInfo(NamedTuple):
    """Exact sizes, known before anything is allocated; rp_plan_info in reprise.h says what each counts."""
    memory_level: int
    slots: int
    constant_bytes: int
    arena_bytes: int
    staging_bytes: int
    host_bytes: int
    total_bytes: int
    nodes: int
    dispatches: int
    once_dispatches: int
    edges: int
    levels: int

    @classmethod
    def of(cls, made: Any) -> 'PlanInfo':
        return cls(*[getattr(made, name) for name in cls._fields])


class Value:
    """A value of a graph: an array of elements of one type, written once. Made by a graph and by operations."""

    __slots__ = ('graph', 'raw')

    def __init__(self, graph: 'Graph', raw: Any) -> None:
        self.graph = graph
        self.raw = raw

    @property
    def type(self) -> Type:
        """Its element type. A type of one's own is returned as the name."""
        found = c.rp_value_type(self.graph.pointer, self.raw)
        if not found:
            self.graph.check()
            raise ValueError('no value of this graph')
        return type_named(found.contents.name.decode())

    def __len__(self) -> int:
        return int(c.rp_value_len(self.graph.pointer, self.raw))

    @property
    def is_constant(self) -> bool:
        """Whether it depends on constants alone."""
        return bool(c.rp_value_is_constant(self.graph.pointer, self.raw))

    def output(self, name: str, *, resident: bool = False, bindable: bool = False) -> 'Value':
        """Makes it an output of the graph, and returns it."""
        self.graph.output(name, self, resident=resident, bindable=bindable)
        return self

    def __add__(self, other: Union['Value', int]) -> 'Value':
        return self._with(c.rp_add, other)

    def __sub__(self, other: Union['Value', int]) -> 'Value':
        return self._with(c.rp_sub, other)

    def __mul__(self, other: Union['Value', int]) -> 'Value':
        return self._with(c.rp_mul, other)

    def __radd__(self, other: int) -> 'Value':
        return self._number(other) + self

    def __rsub__(self, other: int) -> 'Value':
        return self._number(other) - self

    def __rmul__(self, other: int) -> 'Value':
        return self._number(other) * self

    def __neg__(self) -> 'Value':
        return self.graph.made(c.rp_neg(self.graph.pointer, self.raw))

    def __getitem__(self, part: slice) -> 'Value':
        """x[first:end], as rp_slice."""
        if not isinstance(part, slice) or part.step not in (None, 1):
            raise TypeError('a value is sliced as x[first:end]')
        first, end, _ = part.indices(len(self))
        return self.graph.made(c.rp_slice(self.graph.pointer, self.raw, first, max(end - first, 0)))

    def _number(self, number: int) -> 'Value':
        return self.graph.constant(self.graph.fresh('number'), self.type, [number % self.type.modulus])

    def _with(self, function: Any, other: Union['Value', int]) -> 'Value':
        right = self._number(other) if isinstance(other, int) else other
        return self.graph.made(function(self.graph.pointer, self.raw, right.raw))

    def __repr__(self) -> str:
        return f'<reprise.Value {self.raw.id} of {self.graph.name!r}: {self.type.name}[{len(self)}]>'


Outputs = Union[Value, Sequence[Value], Mapping[str, Value], None]

_types: Dict[str, Type] = {}


def type_named(name: str) -> Type:
    if name not in _types:
        kind = Type(name)
        _types[name] = Curve(name) if c.rp_type_is_affine(kind.struct, None) else kind
    return _types[name]


class Graph(Owner):
    """A graph of operations over typed arrays: built once, recorded for a device, and then run as often as wanted.

        g = rp.Graph()
        x = g.input("x", rp.goldilocks, 2**20)
        y = rp.ntt(x)
        recording = g.record(device)                # its output is "ntt"; with y.output("y") in front, it is "y"

    An error of the builder is raised where it is made.
    """

    def __init__(self, name: str = 'graph', context: Optional[Context] = None) -> None:
        context = context or default_context()
        place, where = out()
        c.call(c.rp_graph_create, context.pointer, name.encode(), where)
        self._adopt(place.value, context.handle)

    def _adopt(self, pointer: Optional[int], context: Handle) -> None:
        self._own(pointer, c.rp_graph_destroy, context)
        self._kept: List[Any] = []
        self._fresh = 0
        self._implied: Set[str] = set()  # outputs that nobody named

    @property
    def name(self) -> str:
        return str(c.rp_graph_name(self.pointer).decode())

    def check(self) -> None:
        """Raises the graph's first error, if it has one."""
        found = c.rp_graph_error(self.pointer).contents
        if found.status:
            raise c.fault(found.status, found)

    def made(self, raw: Any) -> Value:
        """The value that a call of the builder returned; its error, if it failed."""
        if not raw.id:
            self.check()
        return Value(self, raw)

    def fresh(self, stem: str) -> str:
        """A name that is not in use for constants that have no name of their own."""
        self._fresh += 1
        return f'{stem}#{self._fresh}'

    def input(self, name: str, type: Type, len: int = 1, *, secret: bool = False, resident: bool = False,
              bindable: bool = False) -> Value:
        """An array that each run is given. secret: it and everything computed from it is wiped after the run."""
        flags = secret * c.RP_SECRET | resident * c.RP_RESIDENT | bindable * c.RP_BINDABLE
        return self.made(c.rp_graph_input(self.pointer, name.encode(), type.struct, len, flags))

    def constant(self, name: str, type: Type, data: Any) -> Value:
        """An array that all runs share: an array in memory form, which is copied, or integers."""
        address, size, _kept = memory(data, type, f'constant {name!r}')
        if size % type.size_bytes:
            raise ValueError(f'constant {name!r}: {size} bytes are no whole number of elements of {type.name}')
        return self.made(c.rp_graph_constant(self.pointer, name.encode(), type.struct, size // type.size_bytes,
                                             address, 0))

    def output(self, name: str, value: Value, *, resident: bool = False, bindable: bool = False) -> None:
        flags = resident * c.RP_RESIDENT | bindable * c.RP_BINDABLE
        c.rp_graph_output(self.pointer, name.encode(), value.raw, flags)
        self.check()

    @contextlib.contextmanager
    def scope(self, name: str, title: Optional[str] = None) -> Iterator[None]:
        """Nodes made in this block have the scope in their name, and form one group in drawings, under the title."""
        c.rp_scope_begin(self.pointer, name.encode())
        if title:
            c.rp_scope_title(self.pointer, b'%s', title.encode())
        try:
            yield
        finally:
            c.rp_scope_end(self.pointer)

    def _info(self, get: Any, index: int, struct: str) -> Any:
        made = c.info(struct)
        c.call(get, self.pointer, index, ctypes.byref(made))
        return made

    def _node(self, index: int) -> Any:
        return self._info(c.rp_graph_get_node, index, 'rp_graph_node_info')

    def _name_of(self, value: Value) -> str:
        """That of the node which computes the value: ntt, ntt#2; with its number if the node has several results."""
        found = self._info(c.rp_graph_get_value, value.raw.id - 1, 'rp_value_info')
        if found.node == 2**32 - 1:
            return str((found.name or b'constant').decode())
        node = self._node(found.node)
        name = str(node.name.decode())
        results = [node.out[k].id for k in range(node.n_out)]
        return name if len(results) == 1 else f'{name}.{results.index(value.raw.id)}'

    def _unread(self) -> List[Value]:
        """The results of nodes of which nothing is read."""
        nodes = [self._node(index) for index in range(len(self))]
        read = {getattr(node, 'in')[k].id for node in nodes for k in range(node.n_in)}
        for number in range(c.rp_graph_n_conditions(self.pointer)):
            read.add(self._info(c.rp_graph_get_condition, number + 1, 'rp_condition_info').value.id)
        results = [[node.out[k] for k in range(node.n_out)] for node in nodes]
        return [Value(self, c.rp_value(raw.id, raw.graph)) for raws in results
                if not any(raw.id in read for raw in raws) for raw in raws]

    def _choose_outputs(self, wanted: Outputs) -> None:
        if wanted is None and self._implied.issuperset(self.outputs):
            unread = {self._name_of(value): value for value in self._unread()}
            self._implied.update(unread)
            wanted = unread
        if isinstance(wanted, Value):
            wanted = [wanted]
        if not isinstance(wanted, Mapping):
            wanted = {self._name_of(value): value for value in wanted or ()}
        there = {port.name.decode(): port.value.id for port in
                 self._ports(c.rp_graph_n_outputs, c.rp_graph_get_output)}
        names = {of: name for name, of in there.items()}
        for name, value in wanted.items():
            if there.get(name, value.raw.id) != value.raw.id or names.get(value.raw.id, name) != name:
                other = names.get(value.raw.id)  # an error of the builder would stick to the graph
                raise ValueError(f'output {name!r}: ' + (f'the value is already the output {other!r}' if other
                                                         else 'the graph has another output of this name'))
            if name not in there:
                self.output(name, value)

    def plan(self, device: Device, *, outputs: Outputs = None, **options: Any) -> PlanInfo:
        """The memory that a recording would take; nothing is allocated. Options as those of `record`."""
        self._choose_outputs(outputs)
        made = c.info('rp_plan_info')
        record = record_options(**options)
        c.call(c.rp_plan_query, device.pointer, self.pointer, ctypes.byref(record), ctypes.byref(made))
        return PlanInfo.of(made)

    def record(self, device: Optional[Device] = None, *, outputs: Outputs = None, **options: Any) -> 'Recording':
        """Plans, allocates, uploads constants. The graph may be closed or extended afterwards.

        outputs: values that become outputs of the graph, beside those that are; by name, or named after the operations
        that compute them, "ntt", "ntt#2". Of a graph without `output`, these are all values that nothing reads.
        in_flight: runs at once; check_inputs: elements that are not below the modulus are refused;
        memory_budget_bytes, profile, keep_inputs: as in rp_record_options.
        """
        self._choose_outputs(outputs)
        return Recording(self, device, **options)

    def save(self, path: str, *, beside: bool = False) -> None:
        """Saves the graph as it was built. beside: the contents of constants go to a second file. Operations of one's
        own are saved by their names."""
        options = c.options('rp_save_options', flags=beside * c.RP_SAVE_BESIDE)
        c.call(c.rp_graph_save, self.pointer, str(path).encode(), ctypes.byref(options))

    @classmethod
    def load(cls, path: Any, *, map: bool = False, data_path: Optional[str] = None,
             operations: Iterable[Any] = (), context: Optional[Context] = None) -> 'Graph':
        """Loads a saved graph from a path, or from bytes. map: constants are used in place in the mapped file.
        operations: those of one's own (reprise.Operation) that the file may name."""
        context = context or default_context()
        options = c.options('rp_load_options', flags=map * c.RP_LOAD_MAP,
                            data_path=str(data_path).encode() if data_path else None)
        own, _kept = catalogs(operations)
        options.catalogs, options.n_catalogs = ctypes.addressof(own), 1
        place, where = out()
        if isinstance(path, (bytes, bytearray)):
            c.call(c.rp_graph_load_memory, context.pointer, bytes(path), len(path), ctypes.byref(options), where)
        else:
            c.call(c.rp_graph_load, context.pointer, str(path).encode(), ctypes.byref(options), where)
        graph = cls.__new__(cls)
        graph._adopt(place.value, context.handle)
        return graph

    def _ports(self, count: Any, get: Any) -> List[Any]:
        ports = []
        for index in range(count(self.pointer)):
            made = c.info('rp_port_info')
            c.call(get, self.pointer, index, ctypes.byref(made))
            ports.append(made)
        return ports

    @property
    def inputs(self) -> List[str]:
        return [port.name.decode() for port in self._ports(c.rp_graph_n_inputs, c.rp_graph_get_input)]

    @property
    def outputs(self) -> List[str]:
        return [port.name.decode() for port in self._ports(c.rp_graph_n_outputs, c.rp_graph_get_output)]

    def __len__(self) -> int:
        """The number of nodes."""
        return int(c.rp_graph_n_nodes(self.pointer))

    def __bool__(self) -> bool:
        return True

    def dot(self) -> str:
        """The graph in Graphviz's language."""
        return drawing.text(c.rp_graph_export, self.pointer, c.RP_EXPORT_DOT)

    def json(self) -> str:
        return drawing.text(c.rp_graph_export, self.pointer, c.RP_EXPORT_JSON)

    def view(self, *, label: Optional[str] = None) -> viewing.View:
        """The graph as a page, which a notebook shows, and whose `save` writes a file for any browser."""
        self.check()
        return viewing.make(graph=self.pointer, label=label)

    def _repr_html_(self) -> str:
        return viewing.notebook(self.view, self.dot)

    def __repr__(self) -> str:
        if self._handle is None:
            return '<reprise.Graph, closed>'
        return f'<reprise.Graph {self.name!r}: {", ".join(self.inputs)} -> {", ".join(self.outputs)}>'


from .own import catalogs  # noqa: E402  both modules name each other's classes
from .recordings import Recording, record_options  # noqa: E402  as above
