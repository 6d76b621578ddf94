# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Provers and verifiers of the Python package, with the fixtures that snarkjs made."""
import asyncio
import concurrent.futures
import json
import os
import unittest

import reprise as rp

DATA = os.environ['DATA']
CIRCUITS = {'groth16': 'fixtures/multiplier_bn254', 'plonk': 'plonk/multiplier', 'fflonk': 'fflonk/multiplier'}


def path(system, name):
    return os.path.join(DATA, CIRCUITS[system], name)


def read(system, name, mode='r'):
    with open(path(system, name), mode) as file:
        return file.read()


class Verifiers(unittest.TestCase):
    def test_proofs_of_snarkjs(self):
        for system in CIRCUITS:
            with self.subTest(system):
                module = getattr(rp, system)
                vkey, public, proof = (json.loads(read(system, name + '.json')) for name in
                                       ('verification_key', 'public', 'proof'))
                self.assertTrue(module.verify(vkey, public, proof))
                self.assertFalse(module.verify(vkey, [int(public[0]) + 1, *public[1:]], proof))
                self.assertFalse(module.verify(vkey, [2**256 - 1, *public[1:]], proof))
                key = module.VerifyingKey.from_file(path(system, 'verification_key.json'))
                self.assertEqual(key.n_public, len(public))
                with self.assertRaises(rp.Error) as raised:
                    key.verify([*public, 1], proof)
                self.assertEqual(raised.exception.code, 'RP_ERR_MISMATCH')
                self.assertEqual(json.loads(module.VerifyingKey.from_zkey(path(system, 'circuit.zkey')).json()), vkey)
                self.assertEqual(module.Proof.from_json(proof).calldata(public), read(system, 'calldata.txt').strip())
                self.assertEqual(module.Proof.from_json(proof).to_dict(), proof)
                with self.assertRaises(rp.Error) as raised:
                    module.verify('{', public, proof)
                self.assertEqual(raised.exception.code, 'RP_ERR_FORMAT')

    def test_what_a_prover_shows(self):
        for system in CIRCUITS:
            with getattr(rp, system).Prover(path(system, 'circuit.zkey')) as prover:
                self.assertRegex(repr(prover), rf'^<reprise\.{system}\.Prover: \d+ values, {prover.n_public} of them')

    def test_batch(self):
        key = rp.groth16.VerifyingKey.from_file(path('groth16', 'verification_key.json'))
        public, proof = (json.loads(read('groth16', name)) for name in ('public.json', 'proof.json'))
        self.assertEqual(key.verify_batch([public, [5], public], [proof] * 3), [True, False, True])
        self.assertEqual(key.verify_batch([], []), [])


class Provers(unittest.TestCase):
    def systems(self):
        for system in CIRCUITS:
            yield system, getattr(rp, system)

    def test_every_form_of_input(self):
        for system, module in self.systems():
            with self.subTest(system):
                expected = [int(value) for value in json.loads(read(system, 'public.json'))]
                vkey = read(system, 'verification_key.json')
                wtns = read(system, 'witness.wtns', 'rb')
                values = [int.from_bytes(wtns[at:at + 32], 'little') for at in range(len(wtns) % 32, len(wtns), 32)]
                with module.Prover(read(system, 'circuit.zkey', 'rb')) as prover:
                    values = values[-prover.n_vars:]
                    for witness in (path(system, 'witness.wtns'), wtns, bytearray(wtns), memoryview(wtns), values):
                        proof, public = prover.prove(witness)
                        self.assertEqual(public, expected)
                        self.assertTrue(module.verify(vkey, public, proof))
                    self.assertIn('digraph', prover.dot())
                    self.assertGreater(prover.plan.total_bytes, 0)

    def test_errors(self):
        for system, module in self.systems():
            with self.subTest(system), module.Prover(path(system, 'circuit.zkey')) as prover:
                for witness, code in (('/nowhere.wtns', 'RP_ERR_FILE'), (b'wtns', 'RP_ERR_FORMAT'),
                                      ([1] * (prover.n_vars + 1), 'RP_ERR_MISMATCH'),
                                      ([1] + [3] * (prover.n_vars - 1), 'RP_ERR_VERIFY')):
                    with self.assertRaises(rp.Error) as raised:
                        prover.prove(witness)
                    self.assertEqual(raised.exception.code, code)
                results = prover.prove_batch([path(system, 'witness.wtns'), '/nowhere.wtns'])
                self.assertIsInstance(results[0][0], module.Proof)
                self.assertEqual(results[1].code, 'RP_ERR_FILE')
                self.assertEqual(prover.prove_batch([]), [])
            with self.assertRaises(rp.Error):
                module.Prover('/nowhere.zkey')

    def test_keys(self):
        key = rp.groth16.Key(path('groth16', 'circuit.zkey'))
        key.check_points()
        key.check_matches(path('groth16', 'circuit.zkey'))
        self.assertEqual(key.info.points_checked, 1)
        with self.assertRaises(rp.Error) as raised:
            rp.groth16.Key(path('groth16', 'circuit.zkey'), sha256=bytes(32))
        self.assertEqual(raised.exception.code, 'RP_ERR_MISMATCH')
        prover = rp.groth16.Prover(key)
        key.close()
        prover.save('recorded.rpk')
        prover.close()
        with open('recorded.rpk', 'rb') as file:
            data = file.read()
        for source in ('recorded.rpk', data):
            self.assertEqual(rp.groth16.prove(source, path('groth16', 'witness.wtns'))[1], [33])

    def test_futures(self):
        for name in CIRCUITS:
            wtns, public = read(name, 'witness.wtns', 'rb'), [int(x) for x in json.loads(read(name, 'public.json'))]
            with getattr(rp, name).Prover(path(name, 'circuit.zkey'), in_flight=2) as prover:
                futures = [prover.submit(w) for w in [wtns, path(name, 'witness.wtns')] * 3]
                self.assertTrue(all(future.result(60)[1] == public for future in futures))
                vkey = getattr(rp, name).VerifyingKey(read(name, 'verification_key.json'))
                self.assertTrue(vkey.verify(public, futures[0].result()[0]))
                with self.assertRaises(rp.Error):
                    prover.submit(b'no witness').result(60)

                async def both():
                    return await asyncio.gather(*[asyncio.wrap_future(prover.submit(wtns)) for _ in range(2)])
                self.assertEqual([signals for _, signals in asyncio.run(both())], [public, public])

    def test_cancelled(self):
        with rp.groth16.Prover(os.path.join(DATA, 'fixtures/poseidon_merkle/circuit.zkey')) as prover:
            future = prover.submit(os.path.join(DATA, 'fixtures/poseidon_merkle/witness.wtns'))
            future.cancel()
            try:
                future.result(60)
            except concurrent.futures.CancelledError:
                pass  # usual: it takes longer than the two calls
            self.assertTrue(future.done())

    def test_prover_closed_with_proofs_in_flight(self):
        prover = rp.groth16.Prover(path('groth16', 'circuit.zkey'), in_flight=4)
        futures = [prover.submit(path('groth16', 'witness.wtns')) for _ in range(4)]
        prover.close()
        self.assertTrue(all(future.done() for future in futures))


if __name__ == '__main__':
    unittest.main()
