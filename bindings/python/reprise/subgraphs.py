# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Graphs in graphs: a body is a Graph of its own, which others call. reprise/call.h and reprise/subgraph.h have the
contracts."""
import ctypes
from typing import Any, Dict, Mapping, Optional, Sequence, Tuple

from . import c
from .graphs import Graph, Value

__all__ = ['batch', 'branch', 'call', 'repeat']
Values = Mapping[str, Value]


def _ports(values: Values) -> Any:
    return (c.rp_call_port * len(values))(*[c.rp_call_port(name.encode(), value.raw) for name, value in values.items()])


def _names(names: Sequence[str]) -> Any:
    return (c.rp_call_port * len(names))(*[c.rp_call_port(name.encode(), c.rp_value(0, 0)) for name in names])


def _values(graph: Graph, ports: Any) -> Dict[str, Value]:
    return {port.name.decode(): Value(graph, c.rp_value(port.value.id, port.value.graph)) for port in ports}


def call(graph: Graph, name: str, body: Graph, inputs: Values, outputs: Optional[Sequence[str]] = None
         ) -> Dict[str, Value]:
    """Adds the nodes of the body to the graph; the values of its outputs (None: of all of them) by name."""
    given, taken = _ports(inputs), _names(body.outputs if outputs is None else outputs)
    c.rp_call(graph.pointer, name.encode(), body.pointer, given, len(given), taken, len(taken))
    graph.check()
    return _values(graph, taken)


def repeat(graph: Graph, name: str, body: Graph, n: int, carried: Mapping[str, Tuple[str, Value]], *,
           shared: Optional[Values] = None, sliced: Optional[Values] = None, stacked: Sequence[str] = ()
           ) -> Tuple[Dict[str, Value], Dict[str, Value]]:
    """Calls the body n times. carried: for each input that is carried on, the output that it is in the next iteration,
    and its first value. Returns the last values of these outputs, and the stacked outputs, by name."""
    last = (c.rp_carried * len(carried))(*[c.rp_carried(at.encode(), output.encode(), value.raw)
                                           for at, (output, value) in carried.items()])
    stacks = _many(c.rp_repeat, graph, name, body, n, shared or {}, sliced or {}, stacked, last)
    return {one.output.decode(): Value(graph, c.rp_value(one.value.id, one.value.graph)) for one in last}, stacks


def batch(graph: Graph, name: str, body: Graph, n: int, stacked: Sequence[str], *, shared: Optional[Values] = None,
          sliced: Optional[Values] = None) -> Dict[str, Value]:
    """The body for n instances side by side; the outputs of all of them, one after another, by name."""
    return _many(c.rp_batch, graph, name, body, n, shared or {}, sliced or {}, stacked, (c.rp_carried * 0)())


def branch(graph: Graph, name: str, condition: Value, then: Graph, otherwise: Graph, inputs: Values,
           outputs: Sequence[str]) -> Dict[str, Value]:
    """rp_if: the outputs of `then` if the condition, one u32, is not 0, else those of `otherwise`."""
    given, taken = _ports(inputs), _names(outputs)
    c.rp_if(graph.pointer, name.encode(), condition.raw, then.pointer, otherwise.pointer, given, len(given), taken,
            len(taken))
    graph.check()
    return _values(graph, taken)


def _many(function: Any, graph: Graph, name: str, body: Graph, n: int, shared: Values, sliced: Values,
          stacked: Sequence[str], carried: Any) -> Dict[str, Value]:
    same, slices, stacks = _ports(shared), _ports(sliced), _names(stacked)
    ports = c.options('rp_repeat_ports', n_shared=len(same), n_sliced=len(slices), n_carried=len(carried),
                      n_stacked=len(stacks), shared=same, sliced=slices, carried=carried, stacked=stacks)
    function(graph.pointer, name.encode(), body.pointer, n, ctypes.byref(ports))
    graph.check()
    return _values(graph, stacks)
