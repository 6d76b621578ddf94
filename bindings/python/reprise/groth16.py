# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Groth16 with snarkjs's files, over BN254 and BLS12-381.

    proof, public = groth16.prove("circuit.zkey", "witness.wtns")
    groth16.verify(json.load(open("verification_key.json")), public, proof)
"""
import concurrent.futures
import ctypes
import itertools
import os
import threading
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from . import c, snark
from .devices import Device

__all__ = ['Key', 'Proof', 'Prover', 'VerifyingKey', 'prove', 'verify']
_calls = snark.Calls(
    'groth16', c.rp_groth16_proof, c.rp_groth16_proof_to_json, c.rp_groth16_proof_from_json, c.rp_groth16_calldata,
    c.rp_groth16_vkey_from_json, None, c.rp_groth16_vkey_from_key, c.rp_groth16_vkey_to_json,
    c.rp_groth16_vkey_destroy, c.rp_groth16_vkey_n_public, c.rp_groth16_verify, c.rp_groth16_key_open,
    c.rp_groth16_key_open_memory, c.rp_groth16_key_close, c.rp_groth16_key_get_info, c.rp_groth16_prover_create,
    c.rp_groth16_prover_destroy, c.rp_groth16_prover_graph, c.rp_groth16_prover_recording, c.rp_groth16_prove,
    c.rp_groth16_prove_file, c.rp_groth16_prove_values, c.rp_groth16_prove_batch, c.rp_groth16_plan)


class Proof(snark.Proof):
    calls = _calls


class VerifyingKey(snark.VerifyingKey):
    calls, proof_class = _calls, Proof

    def verify_batch(self, publics: Sequence[Iterable[Union[int, str]]], proofs: Sequence[Any]) -> List[bool]:
        """Whether each of many proofs verifies, faster than one by one."""
        made = [p if isinstance(p, snark.Proof) else Proof.from_json(p) for p in proofs]
        data = [snark.signals(public) for public in publics]
        if len(data) != len(made) or any(n != self.n_public for _, n in data):
            raise ValueError(f'each of {len(made)} proofs needs {self.n_public} public signals')
        raws = (c.rp_groth16_proof * max(len(made), 1))(*[proof.raw for proof in made])
        statuses = (ctypes.c_int * max(len(made), 1))(*[c.RP_ERR_INTERNAL] * max(len(made), 1))
        reason = c.rp_error()
        if made:
            c.rp_groth16_verify_batch(self.pointer, raws, b''.join(part for part, _ in data), len(made),
                                      self.n_public, statuses, ctypes.byref(reason))
        if reason.status in (c.RP_ERR_MEMORY, c.RP_ERR_UNAVAILABLE):
            raise c.fault(reason.status, reason)
        return [status == c.RP_OK for status in statuses[:len(made)]]


class Key(snark.Key):
    calls = _calls

    def check_points(self, device: Optional[Device] = None) -> None:
        """Raises Error unless every point is on its curve and in its subgroup."""
        c.call(c.rp_groth16_key_check_points, self.pointer, device.pointer if device else None)

    def check_matches(self, zkey_path: snark.Path) -> None:
        """Raises Error unless the key holds exactly what this .zkey gives."""
        c.call(c.rp_groth16_key_matches, self.pointer, os.fsencode(zkey_path))


class Prover(snark.Prover):
    calls, key_class, proof_class = _calls, Key, Proof

    def save(self, path: snark.Path) -> None:
        """Writes the key as provers use it, to be opened in milliseconds."""
        c.call(c.rp_groth16_save, self.pointer, os.fsencode(path))

    def submit(self, witness: snark.Witness, timeout_ns: int = 2**64 - 1) -> 'concurrent.futures.Future[Any]':
        """Begins a proof and returns at once, unless in_flight proofs are unfinished: then it waits for a place.

        The future has what `prove` returns. Its `cancel` asks the task to stop; the future is then cancelled, or has
        its result if the proof was already done. `asyncio.wrap_future` makes it awaitable.
        """
        return _Submitted(self, witness, timeout_ns).future


class _Future(concurrent.futures.Future):  # type: ignore[type-arg]
    stop: Any = None

    def cancel(self) -> bool:
        if self.done():
            return self.cancelled()
        self.stop()
        return True


_pending: Dict[int, '_Submitted'] = {}  # what a callback needs, by the number that is its `user`
_numbers = itertools.count(1)
_lock = threading.Lock()


class _Submitted:
    """A task from its submission to its callback, which runs in a thread of the prover."""

    def __init__(self, prover: Prover, witness: snark.Witness, timeout_ns: int) -> None:
        self.prover, self.future, self.number = prover, _Future(), next(_numbers)
        self.lock = threading.Lock()
        self.task: Any = ctypes.c_void_p()
        self.future.stop = self.cancel
        request = c.options('rp_groth16_request', user=self.number, done=_done)
        self.secret = None
        if isinstance(witness, (bytes, bytearray, memoryview)):
            self.kept = bytes(witness)
            request.wtns = ctypes.cast(ctypes.c_char_p(self.kept), ctypes.c_void_p)
            request.wtns_bytes = len(self.kept)
        elif isinstance(witness, (str, os.PathLike)):
            request.wtns_path = os.fsencode(witness)
        else:
            self.secret = snark.witness_values(witness)
            request.values, request.n_values = ctypes.addressof(self.secret), len(witness)
        with _lock:
            _pending[self.number] = self
        self.future.set_running_or_notify_cancel()
        try:
            c.call(c.rp_groth16_submit, prover.pointer, ctypes.byref(request), timeout_ns, ctypes.byref(self.task))
        except BaseException:
            self.forget()
            raise

    def forget(self) -> None:
        with _lock:
            _pending.pop(self.number, None)
        if self.secret is not None:
            c.rp_wipe(ctypes.addressof(self.secret), ctypes.sizeof(self.secret))

    def cancel(self) -> None:
        with self.lock:
            if self.task:
                c.rp_groth16_cancel(self.task)

    def finish(self, task: int) -> None:
        proof, public = Proof(), ctypes.create_string_buffer(32 * max(self.prover.n_public, 1))
        reason = c.rp_error()
        status = c.rp_groth16_result(task, ctypes.byref(proof.raw), public, None, ctypes.byref(reason))
        with self.lock:
            self.task = None
            c.rp_groth16_end(task)
        self.forget()
        if status == c.RP_OK:
            self.future.set_result((proof, self.prover._public(public)))
        elif status == c.RP_ERR_CANCELLED:
            self.future.set_exception(concurrent.futures.CancelledError())
        else:
            self.future.set_exception(c.fault(status, reason))


def _finished(user: int, task: int) -> None:
    with _lock:
        submitted = _pending[user]
    submitted.finish(task)


_done = type(c.rp_groth16_request().done)(_finished)


def prove(zkey: Union[snark.Path, bytes], witness: snark.Witness,
          device: Optional[Device] = None) -> Tuple[Proof, List[int]]:
    """One proof. For more than one of a circuit, keep a Prover."""
    with Prover(zkey, device) as prover:
        return prover.prove(witness)


def verify(vkey: snark.Json, public: Iterable[Union[int, str]], proof: Any) -> bool:
    """Whether a proof verifies; the order of the arguments is that of snarkjs."""
    with VerifyingKey(vkey) as key:
        return bool(key.verify(public, proof))
