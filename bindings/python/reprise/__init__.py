# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reprise: record a graph of operations over finite fields once, and replay it for every proof.

    import reprise as rp
    g = rp.Graph()
    x = g.input("x", rp.goldilocks, 2**20)
    rp.ntt(x).output("y")
    y = g.record(rp.Device())(x=array)["y"]

    proof, public = rp.groth16.prove("circuit.zkey", "witness.wtns")

Errors are reprise.Error, with code and reason. The C interface itself is reprise.c.
"""
from . import c, fflonk, groth16, operations, plonk, subgraphs
from .devices import Buffer, Context, Device, DeviceInfo, devices
from .errors import Error
from .graphs import Graph, PlanInfo, Value
from .operations import *  # noqa: F401,F403
from .own import Operation
from .recordings import Recording, Run
from .subgraphs import *  # noqa: F401,F403
from .viewing import View
from .types import (Curve, Type, babybear, bandersnatch_fr, banderwagon, bls12_381_fp, bls12_381_fp2, bls12_381_fr,
                    bls12_381_g1, bls12_381_g2, bn254_fp, bn254_fp2, bn254_fr, bn254_g1, bn254_g2, e97, f79, f97,
                    goldilocks, koalabear, secp256k1, secp256k1_fn, secp256k1_fp, u8, u32, u64, u256, u384)

__version__: str = c.api['version']
__all__ = ['Buffer', 'Context', 'Curve', 'Device', 'DeviceInfo', 'Error', 'Graph', 'Operation', 'PlanInfo', 'Recording',
           'Run', 'Type', 'Value', 'View', 'c', 'devices', 'fflonk', 'groth16', 'plonk', 'babybear', 'bandersnatch_fr',
           'banderwagon', 'bls12_381_fp', 'bls12_381_fp2', 'bls12_381_fr', 'bls12_381_g1', 'bls12_381_g2', 'bn254_fp',
           'bn254_fp2', 'bn254_fr', 'bn254_g1', 'bn254_g2', 'e97', 'f79', 'f97', 'goldilocks', 'koalabear', 'secp256k1',
           'secp256k1_fn', 'secp256k1_fp', 'u8', 'u32', 'u64', 'u256', 'u384']
__all__ += operations.__all__
__all__ += subgraphs.__all__


def version() -> str:
    """The version of the library that is loaded."""
    return str(c.rp_version().decode())
