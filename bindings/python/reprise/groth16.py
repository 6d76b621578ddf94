# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Groth16 with snarkjs's files, over BN254 and BLS12-381.

    proof, public = groth16.prove("circuit.zkey", "witness.wtns")
    groth16.verify(json.load(open("verification_key.json")), public, proof)
"""
import ctypes
import os
from typing import Any, Iterable, List, Optional, Sequence, Tuple, Union

from . import c, snark
from .devices import Device

__all__ = ['Key', 'Proof', 'Prover', 'VerifyingKey', 'prove', 'verify']
_calls = snark.Calls(
    'groth16', c.rp_groth16_proof, c.rp_groth16_proof_to_json, c.rp_groth16_proof_from_json, c.rp_groth16_calldata,
    c.rp_groth16_vkey_from_json, c.rp_groth16_vkey_from_zkey, c.rp_groth16_vkey_from_key, c.rp_groth16_vkey_to_json,
    c.rp_groth16_vkey_destroy, c.rp_groth16_vkey_n_public, c.rp_groth16_verify, c.rp_groth16_key_open,
    c.rp_groth16_key_open_memory, c.rp_groth16_key_close, c.rp_groth16_key_get_info, c.rp_groth16_prover_create,
    c.rp_groth16_prover_destroy, c.rp_groth16_prover_graph, c.rp_groth16_prover_recording, c.rp_groth16_prove,
    c.rp_groth16_prove_file, c.rp_groth16_prove_values, c.rp_groth16_prove_batch, c.rp_groth16_plan,
    c.rp_groth16_submit, c.rp_groth16_result, c.rp_groth16_cancel, c.rp_groth16_end)


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


class Prover(snark.Prover[Proof]):
    calls, key_class, proof_class = _calls, Key, Proof

    def save(self, path: snark.Path) -> None:
        """Writes the key as provers use it, to be opened in milliseconds."""
        c.call(c.rp_groth16_save, self.pointer, os.fsencode(path))


def prove(zkey: Union[snark.Path, bytes], witness: snark.Witness,
          device: Optional[Device] = None) -> Tuple[Proof, List[int]]:
    """One proof. For more than one of a circuit, keep a Prover."""
    with Prover(zkey, device) as prover:
        return prover.prove(witness)


def verify(vkey: snark.Json, public: Iterable[Union[int, str]], proof: Any) -> bool:
    """Whether a proof verifies; the order of the arguments is that of snarkjs."""
    with VerifyingKey(vkey) as key:
        return bool(key.verify(public, proof))
