# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Proofs that are made while the caller goes on: Prover.submit."""
import concurrent.futures
import ctypes
import itertools
import os
import threading
from typing import Any, Dict

from . import c, snark


class _Future(concurrent.futures.Future):  # type: ignore[type-arg]
    stop: Any = None

    def cancel(self) -> bool:
        if self.done():
            return self.cancelled()
        self.stop()
        return True


_pending: Dict[int, 'Submitted'] = {}  # what a callback needs, by the number that is its `user`
_numbers = itertools.count(1)
_lock = threading.Lock()


class Submitted:
    """A task from its submission to its callback, which runs in a thread of the prover."""

    def __init__(self, prover: snark.Prover[Any], witness: snark.Witness, timeout_ns: int) -> None:
        self.prover, self.future, self.number = prover, _Future(), next(_numbers)
        self.lock = threading.Lock()
        self.task: Any = ctypes.c_void_p()
        self.future.stop = self.cancel
        self.calls = prover.calls
        request = c.options(f'rp_{self.calls.name}_request', user=self.number)
        request.done = _done_of(type(request.done))
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
            c.call(self.calls.submit, prover.pointer, ctypes.byref(request), timeout_ns, ctypes.byref(self.task))
        except BaseException:
            self.forget()
            raise

    def forget(self) -> None:
        with _lock:
            _pending.pop(self.number, None)
        if self.secret is not None:
            snark.wipe(self.secret)

    def cancel(self) -> None:
        with self.lock:
            if self.task:
                self.calls.cancel(self.task)

    def finish(self, task: int) -> None:
        proof, public = self.prover.proof_class(), ctypes.create_string_buffer(32 * max(self.prover.n_public, 1))
        reason = c.rp_error()
        status = self.calls.result(task, ctypes.byref(proof.raw), public, None, ctypes.byref(reason))
        with self.lock:
            self.task = None
            self.calls.end(task)
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


_callbacks: Dict[Any, Any] = {}


def _done_of(kind: Any) -> Any:
    """The callback in the type of a proof system. It is kept, since the library calls it later."""
    if kind not in _callbacks:
        _callbacks[kind] = kind(_finished)
    return _callbacks[kind]
