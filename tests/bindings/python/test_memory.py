# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Memory stays flat over many graphs and runs, and the package adds little time to the call of the library.

environment: RUNS, 300 by default; with `-v` the figures are printed."""
import os
import sys
import time
import unittest

import reprise as rp

KEY, WITNESS = (os.path.join(os.environ['DATA'], 'fixtures/multiplier_bn254', name) for name in
                ('circuit.zkey', 'witness.wtns'))
RUNS = int(os.environ.get('RUNS', 300))


def resident_bytes():
    with open('/proc/self/statm', encoding='ascii') as file:
        return int(file.read().split()[1]) * os.sysconf('SC_PAGE_SIZE')


class Memory(unittest.TestCase):
    def flat(self, work):
        for _ in range(100):
            work()
        before = resident_bytes()
        for _ in range(RUNS):
            work()
        grown = resident_bytes() - before
        if '-v' in sys.argv:
            print(f'{RUNS} times: {grown} bytes more', file=sys.stderr)
        self.assertLess(grown, 1 << 20)

    def test_graphs(self):
        def build():
            with rp.Graph() as g, rp.Device('cpu', threads=1) as device:
                (g.input('x', rp.bn254_fr, 8) * 3).output('y')
                g.record(device)(x=[1] * 8)
        self.flat(build)


class Overhead(unittest.TestCase):
    def test_of_a_proof(self):
        """Everything around the call of the library: the thread's processor time, in the median."""
        with open(WITNESS, 'rb') as file:
            wtns = file.read()
        calls, inside = rp.groth16._calls, [0.0]

        def timed(*arguments):
            begin = time.thread_time()
            status = calls.prove(*arguments)
            inside[0] = time.thread_time() - begin
            return status

        class Timed(rp.groth16.Prover):
            calls = rp.groth16._calls._replace(prove=timed)

        with Timed(KEY) as prover:
            around = []
            for _ in range(50):
                begin = time.thread_time()
                prover.prove(wtns)
                around.append(time.thread_time() - begin - inside[0])
        median = sorted(around)[25]
        if '-v' in sys.argv:
            print(f'{median * 1e6:.1f} us around the call', file=sys.stderr)
        self.assertLess(median, 1e-3)


if __name__ == '__main__':
    unittest.main()
