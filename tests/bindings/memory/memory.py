# SPDX-License-Identifier: Apache-2.0 OR MIT
"""usage: memory.py PROTOCOL KEY WITNESS PROOFS    Prints the resident bytes after each tenth of the proofs."""
import os
import sys

import reprise as rp


def resident_bytes() -> int:
    with open('/proc/self/statm', encoding='ascii') as file:
        return int(file.read().split()[1]) * os.sysconf('SC_PAGE_SIZE')


def main(protocol: str, key: str, witness: str, proofs: int) -> None:
    with open(witness, 'rb') as file:
        wtns = file.read()
    prover = getattr(rp, protocol).Prover(key, rp.Device('cpu'), in_flight=2)
    for _ in range(10):
        for _ in range(0, proofs // 10, 2):
            submitted = prover.submit(wtns)
            prover.prove(wtns)[0].json()
            submitted.result()
        print(resident_bytes())


if __name__ == '__main__':  # nobody closes the prover, and the process ends
    main(*sys.argv[1:4], int(sys.argv[4]))
