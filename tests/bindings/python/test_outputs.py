# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Outputs of graphs that are named where the graph is recorded, or not at all."""
import os
import tempfile
import unittest

import reprise as rp


class Outputs(unittest.TestCase):
    def test_nobody_names_them(self):
        g = rp.Graph()
        x = g.input('x', rp.goldilocks, 8)
        y = rp.ntt(x)
        recording = g.record()
        self.assertEqual(rp.goldilocks.ints(recording(x=[5] + [0] * 7)['ntt']), [5] * 8)
        again = rp.ntt(y * y, inverse=True)  # y stays an output; y * y, which is read, is none
        inverse, _mask = rp.batch_inverse_with_mask(x)
        names = ['ntt', 'ntt#2', 'batch_inverse.0', 'batch_inverse.1']
        self.assertGreater(g.plan(rp.Device('cpu')).dispatches, 0)
        self.assertEqual(list(g.record().outputs), names)
        self.assertEqual(list(g.record(outputs=[again, inverse]).outputs), names)
        for outputs, reason in (({'z': again}, "already the output 'ntt#2'"), ({'ntt': again}, "'ntt#2'"),
                                ({'ntt': x}, 'another output of this name')):
            with self.assertRaisesRegex(ValueError, reason):
                g.record(outputs=outputs)
        self.assertEqual(list(g.record().outputs), names)

    def test_a_recording_names_them(self):
        g = rp.Graph()
        x = g.input('x', rp.goldilocks, 4)
        (x + 1).output('y')
        square = x * x
        self.assertEqual(repr(g.record()), '<reprise.Recording x: goldilocks[4] -> y: goldilocks[4]>')
        recording = g.record(outputs={'square': square})
        self.assertEqual(rp.goldilocks.ints(recording(x=[1, 2, 3, 4])['square']), [1, 4, 9, 16])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'named.rpg')
            g.save(path)
            self.assertEqual(list(rp.Graph.load(path).record().outputs), ['y', 'square'])
        cube = square * x
        self.assertEqual(list(g.record(outputs=cube).outputs), ['y', 'square', 'mul#2'])

    def test_a_graph_that_computes_nothing(self):
        g = rp.Graph('sink')
        g.input('x', rp.goldilocks, 4)
        with self.assertRaisesRegex(rp.Error, r'sink: .*\.output\("y"\)'):
            g.record()


if __name__ == '__main__':
    unittest.main()
