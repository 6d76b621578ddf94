# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What groth16, plonk and fflonk have in common: keys, provers, proofs and verification, with snarkjs's files.

A witness is the path of a .wtns file, the bytes of one, or integers, the first of which is 1. A proof is released only
after it has been verified.
"""
import concurrent.futures
import ctypes
import json
import os
from typing import (Any, Dict, Generic, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Type, TypeVar, Union)

from . import c
from .devices import Device, default_context, default_device
from .errors import Error
from .handles import Owner, out

Path = Union[str, 'os.PathLike[str]']
Witness = Union[Path, bytes, bytearray, memoryview, Sequence[int]]
Json = Union[str, Dict[str, Any]]


class Calls(NamedTuple):
    """The functions of one proof system."""
    name: str
    proof: Any
    proof_to_json: Any
    proof_from_json: Any
    calldata: Any
    vkey_from_json: Any
    vkey_from_zkey: Any
    vkey_from_key: Any
    vkey_to_json: Any
    vkey_destroy: Any
    vkey_n_public: Any
    verify: Any
    key_open: Any
    key_open_memory: Any
    key_close: Any
    key_get_info: Any
    prover_create: Any
    prover_destroy: Any
    prover_graph: Any
    prover_recording: Any
    prove: Any
    prove_file: Any
    prove_values: Any
    prove_batch: Any
    plan: Any
    submit: Any
    result: Any
    cancel: Any
    end: Any


def text_of(function: Any, *arguments: Any) -> str:
    """What a text function writes."""
    size, capacity = ctypes.c_size_t(), 4096
    while True:
        place = ctypes.create_string_buffer(capacity)
        try:
            c.call(function, *arguments, place, capacity, ctypes.byref(size))
            return place.value.decode()
        except Error as error:
            if error.status != c.RP_ERR_BUFFER_TOO_SMALL or size.value < capacity:
                raise
            capacity = size.value + 1


def json_bytes(value: Json) -> bytes:
    return (value if isinstance(value, str) else json.dumps(value)).encode()


def signals(public: Iterable[Union[int, str]]) -> Tuple[bytes, int]:
    """Public signals, integers or decimal texts, as the library takes them."""
    values = [int(value) for value in public]
    for value in values:
        if not 0 <= value < 2**256:
            raise ValueError(f'the public signal {value} is not between 0 and 2^256')
    return b''.join(value.to_bytes(32, 'little') for value in values), len(values)


def wipe(memory: Any) -> None:
    c.rp_wipe(ctypes.addressof(memory), ctypes.sizeof(memory))


P = TypeVar('P', bound='Proof')


class Proof:
    """A proof. `raw` is the C struct; `json` and `to_dict` give it as snarkjs writes it."""
    calls: Calls

    def __init__(self, raw: Any = None) -> None:
        self.raw = raw if raw is not None else self.calls.proof()

    @classmethod
    def from_json(cls: Type[P], value: Json) -> P:
        """A proof as snarkjs writes it: a text or a dict."""
        made, data = cls(), json_bytes(value)
        c.call(cls.calls.proof_from_json, data, len(data), ctypes.byref(made.raw))
        return made

    def json(self) -> str:
        return text_of(self.calls.proof_to_json, ctypes.byref(self.raw))

    def to_dict(self) -> Dict[str, Any]:
        return dict(json.loads(self.json()))

    def calldata(self, public: Iterable[Union[int, str]]) -> str:
        """The arguments of the Solidity contract that snarkjs exports for the key."""
        data, n = signals(public)
        return text_of(self.calls.calldata, ctypes.byref(self.raw), data, n)


class VerifyingKey(Owner):
    """A verification key, with prepared pairings. Any number of threads may verify with one."""
    calls: Calls
    proof_class: Any

    def __init__(self, value: Json) -> None:
        """The text, or the dict, of a verification_key.json."""
        data = json_bytes(value)
        place, where = out()
        c.call(self.calls.vkey_from_json, default_context().pointer, data, len(data), where)
        self._own(place.value, self.calls.vkey_destroy)

    @classmethod
    def from_file(cls, path: Path) -> Any:
        with open(path, encoding='utf-8') as file:
            return cls(file.read())

    @classmethod
    def from_zkey(cls, path: Path) -> Any:
        made = cls.__new__(cls)
        place, where = out()
        c.call(cls.calls.vkey_from_zkey, default_context().pointer, os.fsencode(path), where)
        made._own(place.value, cls.calls.vkey_destroy)
        return made

    @property
    def n_public(self) -> int:
        return int(self.calls.vkey_n_public(self.pointer))

    def json(self) -> str:
        return text_of(self.calls.vkey_to_json, self.pointer)

    def check(self, public: Iterable[Union[int, str]], proof: Any) -> None:
        """Raises Error unless the proof verifies."""
        made = proof if isinstance(proof, Proof) else self.proof_class.from_json(proof)
        data, n = signals(public)
        c.call(self.calls.verify, self.pointer, ctypes.byref(made.raw), data, n)

    def verify(self, public: Iterable[Union[int, str]], proof: Any) -> bool:
        """Whether the proof verifies. False also for points and signals that are out of range."""
        try:
            self.check(public, proof)
            return True
        except Error as error:
            if error.status in (c.RP_ERR_VERIFY, c.RP_ERR_INPUT):
                return False
            raise


class Key(Owner):
    """A proving key: the path of a file, or its bytes.

    sha256: 32 bytes; a file with another digest is refused. check_points: every point is checked to be on its curve.
    """
    calls: Calls

    def __init__(self, source: Union[Path, bytes, bytearray, memoryview], *, check_points: bool = False,
                 sha256: Optional[bytes] = None) -> None:
        options = c.options(f'rp_{self.calls.name}_key_options', check_points=int(check_points))
        digest = ctypes.create_string_buffer(sha256, 32) if sha256 is not None else None
        if digest is not None:
            options.sha256 = ctypes.addressof(digest)
        place, where = out()
        self._data = None
        context = default_context()
        if isinstance(source, (bytes, bytearray, memoryview)):
            size = len(source) if not isinstance(source, memoryview) else source.nbytes
            self._data = (ctypes.c_uint64 * -(-size // 8 or 1))()  # kept: prerecorded keys are used in place
            ctypes.memmove(self._data, bytes(source), size)
            c.call(self.calls.key_open_memory, context.pointer, self._data, size, ctypes.byref(options), where)
        else:
            c.call(self.calls.key_open, context.pointer, os.fsencode(source), ctypes.byref(options), where)
        close = self.calls.key_close

        def free(pointer: int, _kept: Any = self._data) -> None:
            close(pointer)
        self._own(place.value, free)

    @property
    def info(self) -> Any:
        """The C struct, such as rp_groth16_key_info: n_vars, n_public, domain and so on."""
        made = c.info(f'rp_{self.calls.name}_key_info')
        self.calls.key_get_info(self.pointer, ctypes.byref(made))
        return made


class Prover(Owner, Generic[P]):
    """A key recorded on a device, once; `prove` replays it. Several threads may prove, in_flight of them at once.

        with rp.groth16.Prover("circuit.zkey") as prover:
            proof, public = prover.prove("witness.wtns")

    tables: precomputed tables as far as the budget allows.
    """
    calls: Calls
    key_class: Any
    proof_class: Any

    def __init__(self, key: Any, device: Optional[Device] = None, *, in_flight: int = 1, tables: bool = False,
                 memory_budget_bytes: int = 0) -> None:
        own_key = not isinstance(key, Key)
        opened = self.key_class(key) if own_key else key
        device = device or default_device()
        self.in_flight = in_flight
        options = c.options(f'rp_{self.calls.name}_prover_options', max_in_flight=in_flight, tables=int(tables),
                            memory_budget_bytes=memory_budget_bytes)
        place, where = out()
        try:
            c.call(self.calls.prover_create, device.pointer, opened.pointer, ctypes.byref(options), where)
            info = opened.info
            self.n_public, self.n_vars = int(info.n_public), int(info.n_vars)
            self._own(place.value, self.calls.prover_destroy, device.handle, opened.handle)
        finally:
            if own_key:
                opened.close()

    def __repr__(self) -> str:
        return f'<reprise.{self.calls.name}.Prover: {self.n_vars} values, {self.n_public} of them public>'

    def prove(self, witness: Witness) -> Tuple[P, List[int]]:
        """The proof and the public signals."""
        proof, public = self.proof_class(), ctypes.create_string_buffer(32 * max(self.n_public, 1))
        result = ctypes.byref(proof.raw)
        if isinstance(witness, (bytes, bytearray, memoryview)):
            kept: Any = (ctypes.c_char * len(witness)).from_buffer(witness) if isinstance(witness, bytearray) else (
                bytes(witness))
            c.call(self.calls.prove, self.pointer, kept, len(witness), result, public, None)
        elif isinstance(witness, (str, os.PathLike)):
            c.call(self.calls.prove_file, self.pointer, os.fsencode(witness), result, public, None)
        else:
            kept = witness_values(witness)
            try:
                c.call(self.calls.prove_values, self.pointer, kept, len(kept) // 32, result, public, None)
            finally:
                wipe(kept)
        return proof, self._public(public)

    def submit(self, witness: Witness, timeout_ns: int = 2**64 - 1) -> 'concurrent.futures.Future[Tuple[P, List[int]]]':
        """Begins a proof and returns at once, unless in_flight proofs are unfinished: then it waits for a place.

        The future has what `prove` returns. Its `cancel` asks the task to stop; the future is then cancelled, or has
        its result if the proof was already done. `asyncio.wrap_future` makes it awaitable.
        """
        from .submitted import Submitted
        return Submitted(self, witness, timeout_ns).future

    def _public(self, place: Any) -> List[int]:
        data = place.raw
        return [int.from_bytes(data[32 * i:32 * i + 32], 'little') for i in range(self.n_public)]

    def prove_batch(self, paths: Sequence[Path]) -> List[Union[Tuple[P, List[int]], Error]]:
        """Proofs of many .wtns files, in_flight at a time: for each its proof and signals, or why there is none."""
        name = f'rp_{self.calls.name}_job'
        jobs = (getattr(c, name) * max(len(paths), 1))()
        proofs = [self.proof_class() for _ in paths]
        publics = [ctypes.create_string_buffer(32 * max(self.n_public, 1)) for _ in paths]
        for job, path, proof, public in zip(jobs, paths, proofs, publics):
            job.struct_size = ctypes.sizeof(job)
            job.wtns_path = os.fsencode(path)
            job.proof = ctypes.pointer(proof.raw)
            job.public_signals = ctypes.addressof(public)
        reason = c.rp_error()
        if paths:
            self.calls.prove_batch(self.pointer, jobs, len(paths), ctypes.byref(reason))
        return [(proof, self._public(public)) if job.status == c.RP_OK else c.fault(job.status, job.error)
                for job, proof, public in zip(jobs, proofs, publics)]

    def dot(self) -> str:
        """The prover's graph, in Graphviz's language."""
        from . import drawing
        return drawing.text(c.rp_graph_export, self.calls.prover_graph(self.pointer), c.RP_EXPORT_DOT)

    @property
    def plan(self) -> Any:
        from .graphs import PlanInfo
        made = c.info('rp_plan_info')
        c.rp_recording_get_plan(self.calls.prover_recording(self.pointer), ctypes.byref(made))
        return PlanInfo.of(made)


def witness_values(values: Sequence[int]) -> Any:
    """Integers as 32 little-endian bytes each. The caller wipes the memory."""
    made: Any = ctypes.create_string_buffer(32 * len(values))
    for i, value in enumerate(values):
        if not 0 <= value < 2**256:
            raise ValueError(f'value {i} of the witness is not between 0 and 2^256')
        made[32 * i:32 * i + 32] = value.to_bytes(32, 'little')
    return made
