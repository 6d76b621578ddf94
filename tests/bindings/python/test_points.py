# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Points of curves as pairs of Python's integers, and what a graph without outputs says."""
import unittest

import reprise as rp

P = 21888242871839275222246405745257275088696311157297823662689037894645226208583
G2 = ((10857046999023057135944570762232829481370756359578518086990519993285655852781,
       11559732032986387107991004021392285783925812861821192530917403151452391805634),
      (8495653923123431417604973247489272438418190587263600148770280649306958101930,
       4082367875863433681332203403145435568316851327593401208105741076214120093531))


class Points(unittest.TestCase):
    def test_pairs(self):
        self.assertEqual(rp.bn254_g1.ints(rp.bn254_g1.generator), [(1, 2)])
        self.assertEqual(rp.bn254_g2.ints(rp.bn254_g2.generator), [G2])
        for curve, points in ((rp.bn254_g1, [(1, 2), None, (1, P - 2)]), (rp.bn254_g2, [None, G2]),
                              (rp.banderwagon, [None, rp.banderwagon.ints(rp.banderwagon.generator)[0]])):
            array = curve.array(points)
            self.assertEqual(len(bytes(array)), len(points) * curve.size_bytes)
            self.assertEqual(curve.ints(array), points)
        self.assertEqual(bytes(rp.bn254_g1.array([(1, 2)])), rp.bn254_g1.generator)
        self.assertEqual(rp.banderwagon.ints(rp.banderwagon.array([(0, 1)])), [None])

    def test_wrong_points(self):
        for wrong in (5, [5], [(1,)], [(1, 2, 3)], ['ab']):
            with self.assertRaises(TypeError):
                rp.bn254_g1.array(wrong)
        with self.assertRaises(ValueError):
            rp.bn254_g1.array([(P, 2)])
        with self.assertRaises(ValueError):
            rp.bn254_g1.ints(bytes(65))

    def test_sum(self):
        g = rp.Graph()
        scalars, points = g.input('scalars', rp.u256, 3), g.input('points', rp.bn254_g1, 3)
        rp.to_affine(rp.msm(scalars, points)).output('sum')
        recording = g.record(rp.Device('cpu'))
        for factors, given, expected in (([3, 1, 4], [(1, 2), None, (1, P - 2)], [(1, P - 2)]),
                                         ([1, 5, 1], [(1, 2), None, (1, P - 2)], [None])):
            self.assertEqual(rp.bn254_g1.ints(recording(scalars=factors, points=given)['sum']), expected)


if __name__ == '__main__':
    unittest.main()
