# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the types of the package say to a program that uses it; mypy --strict reads this, and nothing runs it."""
import concurrent.futures
from typing import List, Tuple

import reprise as rp


def proofs(key: str, witness: bytes) -> str:
    with rp.plonk.Prover(key, in_flight=2) as prover:
        made: Tuple[rp.plonk.Proof, List[int]] = prover.prove(witness)
        future: 'concurrent.futures.Future[Tuple[rp.plonk.Proof, List[int]]]' = prover.submit(witness)
    proof, public = rp.groth16.prove(key, [1, 2, 3], rp.Device('cpu', threads=2))
    valid: bool = rp.groth16.verify('{}', public, proof) and rp.plonk.verify({}, made[1], future.result()[0])
    again: rp.groth16.Proof = rp.groth16.Proof.from_json(proof.json())
    try:
        return again.calldata(public) + str(valid)
    except rp.Error as error:
        return error.code + error.reason


def graphs(n: int) -> List[int]:
    with rp.Graph('squares') as g, rp.Device() as device:
        x: rp.Value = g.input('x', rp.goldilocks, n)
        y: rp.Value = rp.ntt(x * x + 3, inverse=True).output('y')
        recording: rp.Recording = g.record(device)
        page: rp.View = g.view()
        page.save('squares.html')
        numbers: List[int] = rp.goldilocks.ints(recording(x=list(range(n)))['y'])
        return numbers + [len(y), rp.bn254_fr.modulus]


def mistakes() -> None:
    rp.Device(index='0')  # type: ignore[arg-type]
    rp.Graph().input('x', 'goldilocks', 8)  # type: ignore[arg-type]
    rp.groth16.prove(1, 'witness.wtns')  # type: ignore[arg-type]
