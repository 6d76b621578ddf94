# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Recordings of graphs, and their runs."""
import ctypes
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

from . import c, drawing, viewing
from .devices import Buffer, Device, default_device
from .errors import Error
from .handles import Owner, out
from .types import Array, Type, memory, writable

if TYPE_CHECKING:
    from .graphs import Graph, PlanInfo

FOREVER = 2**64 - 1


def record_options(*, in_flight: int = 1, memory_budget_bytes: int = 0, check_inputs: bool = False,
                   profile: bool = False, keep_inputs: bool = False, flags: int = 0) -> Any:
    """rp_record_options. flags: further RP_RECORD_* of reprise.c."""
    flags |= (check_inputs * c.RP_RECORD_CHECK_INPUTS | profile * c.RP_RECORD_PROFILE
              | keep_inputs * c.RP_RECORD_KEEP_INPUTS)
    return c.options('rp_record_options', flags=flags, max_in_flight=in_flight,
                     memory_budget_bytes=memory_budget_bytes)


class Port(NamedTuple):
    """An input or output of a recording."""
    name: str
    type: Type
    len: int
    size_bytes: int
    secret: bool
    raw: Any


class Recording(Owner):
    """A graph recorded for a device. Calling it is a run: inputs in, one submission, one wait, outputs out.

        result = recording(x=array)          # or recording({"x": array})
        result["y"]                          # an array of the output's type

    Inputs are arrays in memory form, used without a copy of one's own, or integers. May be called from several threads;
    in_flight of them proceed at once.
    """

    def __init__(self, graph: 'Graph', device: Optional[Device] = None, **options: Any) -> None:
        device = device or default_device()
        graph.check()
        if not graph.outputs:
            raise Error(c.RP_ERR_STATE, 'RP_ERR_STATE', f'{graph.name}: the graph has no output; value.output("y") of '
                        'a value adds one')
        made = record_options(**options)
        place, where = out()
        c.call(c.rp_record, device.pointer, graph.pointer, ctypes.byref(made), where)
        self._own(place.value, c.rp_recording_destroy, device.handle)
        self.inputs = self._ports(c.rp_recording_n_inputs, c.rp_recording_get_input)
        self.outputs = self._ports(c.rp_recording_n_outputs, c.rp_recording_get_output)

    def _ports(self, count: Any, get: Any) -> Dict[str, Port]:
        from .graphs import type_named
        ports = {}
        for index in range(count(self.pointer)):
            made = c.info('rp_port_info')
            c.call(get, self.pointer, index, ctypes.byref(made))
            name = made.name.decode()
            raw = c.rp_value(made.value.id, made.value.graph)
            ports[name] = Port(name, type_named(made.type.contents.name.decode()), made.len, made.size_bytes,
                               bool(made.secret), raw)
        return ports

    @staticmethod
    def _port(ports: Mapping[str, Port], name: str, what: str) -> Port:
        try:
            return ports[name]
        except KeyError:
            raise ValueError(f'the recording has no {what} {name!r}, but {", ".join(ports) or "none"}') from None

    def __call__(self, inputs: Optional[Mapping[str, Any]] = None, *, out: Optional[Mapping[str, Array]] = None,
                 **more: Any) -> Dict[str, Array]:
        """One run. out: arrays to which outputs are written; those that it does not name are made."""
        given = {**(inputs or {}), **more}
        kept: List[Any] = []
        ins = (c.rp_replay_input * max(len(given), 1))()
        for place, (name, data) in zip(ins, given.items()):
            place.name = name.encode()
            port = self._port(self.inputs, name, 'input')
            place.data, place.size_bytes, keep = memory(data, port.type, f'input {name!r}')
            kept.append(keep)
        results: Dict[str, Array] = {}
        outs = (c.rp_replay_output * max(len(self.outputs), 1))()
        for name in out or ():
            self._port(self.outputs, name, 'output')
        for place, (name, port) in zip(outs, self.outputs.items()):
            results[name] = out[name] if out and name in out else port.type.empty(port.len)
            place.name = name.encode()
            place.data, place.size_bytes, keep = writable(results[name], f'output {name!r}')
            kept.append(keep)
        c.call(c.rp_replay, self.pointer, ins, len(given), outs, len(self.outputs))
        return results

    def begin(self, timeout_ns: int = FOREVER) -> 'Run':
        """A run in steps: inputs in the staging memory, buffers of the device, submission without waiting."""
        return Run(self, timeout_ns)

    @property
    def plan(self) -> 'PlanInfo':
        from .graphs import PlanInfo
        made = c.info('rp_plan_info')
        c.rp_recording_get_plan(self.pointer, ctypes.byref(made))
        return PlanInfo.of(made)

    def evict(self) -> None:
        """Releases the device memory, which is loaded again when a run begins."""
        c.call(c.rp_recording_evict, self.pointer)

    def dot(self) -> str:
        """The recording as planned, in Graphviz's language."""
        return drawing.text(c.rp_recording_export, self.pointer, c.RP_EXPORT_DOT)

    def json(self) -> str:
        return drawing.text(c.rp_recording_export, self.pointer, c.RP_EXPORT_JSON)

    def view(self, runs: Sequence['Run'] = (), *, label: Optional[str] = None,
             device: Optional[Device] = None) -> viewing.View:
        """The recording as a page, with finished runs of it, for which it was made with profile=True. device: the one
        that it was recorded for, whose ceilings are measured, to say what bounds each dispatch."""
        return viewing.make(recording=self.pointer, runs=runs, label=label, device=device)

    def _repr_html_(self) -> str:
        return viewing.notebook(self.view, self.dot)

    def __repr__(self) -> str:
        ports = [', '.join(f'{port.name}: {port.type.name}[{port.len}]' for port in some.values())
                 for some in (self.inputs, self.outputs)]
        return f'<reprise.Recording {" -> ".join(ports)}>'


class Run(Owner):
    """A run in steps. `with recording.begin() as run:` ends it, which wipes what was secret."""

    def __init__(self, recording: Recording, timeout_ns: int = FOREVER) -> None:
        place, where = out()
        c.call(c.rp_run_begin, recording.pointer, timeout_ns, where)
        self._own(place.value, c.rp_run_end, recording.handle)
        self._recording = recording

    def _check(self, status: int) -> None:
        if status:
            raise c.fault(status, c.rp_run_error(self.pointer).contents)

    def set(self, name: str, data: Any) -> None:
        """Copies an input to the staging memory."""
        port = self._recording._port(self._recording.inputs, name, 'input')
        address, size, _kept = memory(data, port.type, f'input {name!r}')
        self._check(c.rp_run_set_input(self.pointer, port.raw, address, size))

    def bind(self, name: str, buffer: Buffer, offset_bytes: int = 0) -> None:
        """Has a resident or bindable input or output read from, or written to, a buffer of the device."""
        ports = self._recording.inputs
        bind = c.rp_run_bind_input
        if name not in ports:
            ports, bind = self._recording.outputs, c.rp_run_bind_output
        port = self._recording._port(ports, name, 'input or output')
        self._check(bind(self.pointer, port.raw, buffer.pointer, offset_bytes))

    def submit(self) -> None:
        self._check(c.rp_run_submit(self.pointer))

    def poll(self) -> bool:
        """Whether the run is finished; raises how it failed."""
        status = c.rp_run_poll(self.pointer)
        if status != c.RP_ERR_TIMEOUT:
            self._check(status)
        return bool(status == c.RP_OK)

    def wait(self, timeout_ns: int = FOREVER) -> None:
        self._check(c.rp_run_wait(self.pointer, timeout_ns))

    def cancel(self) -> None:
        """Asks the run to stop; may be called from another thread."""
        c.rp_run_cancel(self.pointer)

    def output(self, name: str) -> Array:
        """A copy of an output, after `wait`."""
        port = self._recording._port(self._recording.outputs, name, 'output')
        address = c.rp_run_output(self.pointer, port.raw)
        if not address:
            raise ValueError(f'output {name!r} cannot be read: the run has not finished, or a buffer was bound to it')
        return port.type.shaped(bytearray(ctypes.string_at(address, port.size_bytes)))

    @property
    def counters(self) -> Dict[str, Union[int, float]]:
        """rp_run_counters: submissions, waits, bytes, times."""
        made = c.info('rp_run_counters')
        c.rp_run_get_counters(self.pointer, ctypes.byref(made))
        return {name: getattr(made, name) for name, _ in made._fields_ if name != 'struct_size'}

    def trace(self) -> str:
        """The run as a Chrome trace, of a recording made with profile=True."""
        return drawing.text(c.rp_run_trace, self.pointer)
