# SPDX-License-Identifier: Apache-2.0 OR MIT
"""PLONK with snarkjs's files, over BN254.

    proof, public = plonk.prove("circuit.zkey", "witness.wtns")
    plonk.verify(json.load(open("verification_key.json")), public, proof)
"""
import os
from typing import Any, Iterable, List, Optional, Tuple, Union

from . import c, snark
from .devices import Device

__all__ = ['Key', 'Proof', 'Prover', 'VerifyingKey', 'prove', 'verify']
_calls = snark.Calls(
    'plonk', c.rp_plonk_proof, c.rp_plonk_proof_to_json, c.rp_plonk_proof_from_json, c.rp_plonk_calldata,
    c.rp_plonk_vkey_from_json, c.rp_plonk_vkey_from_zkey, c.rp_plonk_vkey_from_key, c.rp_plonk_vkey_to_json,
    c.rp_plonk_vkey_destroy, c.rp_plonk_vkey_n_public, c.rp_plonk_verify, c.rp_plonk_key_open,
    c.rp_plonk_key_open_memory, c.rp_plonk_key_close, c.rp_plonk_key_get_info, c.rp_plonk_prover_create,
    c.rp_plonk_prover_destroy, c.rp_plonk_prover_graph, c.rp_plonk_prover_recording, c.rp_plonk_prove,
    c.rp_plonk_prove_file, c.rp_plonk_prove_values, c.rp_plonk_prove_batch, c.rp_plonk_plan,
    c.rp_plonk_submit, c.rp_plonk_result, c.rp_plonk_cancel, c.rp_plonk_end)


class Proof(snark.Proof):
    calls = _calls


class VerifyingKey(snark.VerifyingKey):
    calls, proof_class = _calls, Proof


class Key(snark.Key):
    calls = _calls

    def check_points(self) -> None:
        """Raises Error unless every power of tau is on the curve."""
        c.call(c.rp_plonk_key_check_points, self.pointer)

    def check_matches(self, zkey_path: snark.Path) -> None:
        """Raises Error unless the key holds exactly what this .zkey gives."""
        c.call(c.rp_plonk_key_matches, self.pointer, os.fsencode(zkey_path))


class Prover(snark.Prover[Proof]):
    calls, key_class, proof_class = _calls, Key, Proof

    def save(self, path: snark.Path) -> None:
        """Writes the key as provers use it, to be opened by mapping it."""
        c.call(c.rp_plonk_save, self.pointer, os.fsencode(path))


def prove(zkey: Union[snark.Path, bytes], witness: snark.Witness,
          device: Optional[Device] = None) -> Tuple[Proof, List[int]]:
    """One proof. For more than one of a circuit, keep a Prover."""
    with Prover(zkey, device) as prover:
        return prover.prove(witness)


def verify(vkey: snark.Json, public: Iterable[Union[int, str]], proof: Any) -> bool:
    """Whether a proof verifies; the order of the arguments is that of snarkjs."""
    with VerifyingKey(vkey) as key:
        return bool(key.verify(public, proof))
