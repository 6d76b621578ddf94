# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Graphs, arrays and errors of the Python package. With HIDE_NUMPY, as where NumPy is not installed."""
import gc
import hashlib
import json
import os
import sys
import tempfile
import threading
import tracemalloc
import unittest
import unittest.mock

if os.environ.get('HIDE_NUMPY'):
    sys.modules['numpy'] = None  # an import fails
import reprise as rp
from reprise import c, drawing, viewing

numpy = rp.types.numpy
P = rp.goldilocks.modulus


def naive_dft(values, w, p):
    return [sum(v * pow(w, i * j, p) for j, v in enumerate(values)) % p for i in range(len(values))]


class Description(unittest.TestCase):
    def test_everything_is_there(self):
        for kind in ('functions', 'structs', 'aliases', 'objects', 'callbacks'):
            for name in c.api[kind]:
                self.assertTrue(hasattr(c, name), name)
        self.assertEqual(c.RP_ERR_INTERNAL, 20)
        self.assertEqual(rp.version(), rp.__version__)
        with self.assertRaises(AttributeError):
            c.rp_no_such_function

    def test_every_field_and_curve_has_a_name(self):
        for enum, names in (('rp_field', c.enums['rp_field']), ('rp_curve', c.enums['rp_curve'])):
            for value in names.values():
                name = c.name_of(enum, value)
                if name != 'count':
                    self.assertEqual(getattr(rp, name).name, name)

    def test_operations_are_listed(self):
        made = [name for name, thing in vars(rp.operations).items() if not name.startswith('_')
                and getattr(thing, '__module__', '') == rp.operations.__name__]
        self.assertEqual(sorted(made), sorted(rp.operations.__all__))
        self.assertTrue(all(hasattr(rp, name) for name in rp.__all__))

    def test_choices_name_what_is_known(self):
        with self.assertRaisesRegex(ValueError, "'arkworks'"):
            c.choice('rp_root', 'arcworks')


class Arrays(unittest.TestCase):
    def test_integers_and_back(self):
        for field in (rp.bn254_fr, rp.bls12_381_fp, rp.goldilocks, rp.babybear, rp.f97):
            values = [0, 1, 2, field.modulus - 1, field.modulus // 3]
            self.assertEqual(field.ints(field.array(values)), values)
        pairs = [(1, 2), (0, rp.bn254_fp.modulus - 1)]
        self.assertEqual(rp.bn254_fp2.ints(rp.bn254_fp2.array(pairs)), pairs)
        self.assertEqual(rp.u256.ints(rp.u256.array((1, 2**255))), [1, 2**255])

    def test_memory_form_is_montgomery(self):
        one = rp.u256.ints(rp.bn254_fr.array(1))[0]
        self.assertEqual(one, 2**256 % rp.bn254_fr.modulus)
        self.assertEqual(rp.u64.ints(rp.goldilocks.array(5)), [5])

    def test_out_of_range(self):
        for value in (-1, rp.f97.modulus):
            with self.assertRaisesRegex(ValueError, 'not below the modulus of f97'):
                rp.f97.array([value])

    @unittest.skipIf(numpy is None, 'NumPy is hidden')
    def test_shapes(self):
        self.assertEqual(rp.bn254_fr.array([1, 2, 3]).shape, (3, 4))
        self.assertEqual(rp.bls12_381_fp.empty(2).shape, (2, 6))
        self.assertEqual((rp.goldilocks.empty(5).shape, rp.babybear.empty(5).dtype), ((5,), numpy.uint32))

    @unittest.skipIf(numpy is None, 'NumPy is hidden')
    def test_wrong_arrays_are_refused(self):
        g = rp.Graph()
        (g.input('x', rp.goldilocks, 4) * 2).output('y')
        recording = g.record()
        with self.assertRaisesRegex(TypeError, "input 'x': .*uint64, not of float64"):
            recording(x=numpy.zeros(4))
        with self.assertRaises(rp.Error) as raised:
            recording(x=numpy.zeros(5, dtype='u8'))
        self.assertEqual(raised.exception.code, 'RP_ERR_SHAPE')
        with self.assertRaisesRegex(ValueError, 'writable'):
            recording(x=[1, 2, 3, 4], out={'y': numpy.zeros(8, dtype='u8')[::2]})

    @unittest.skipIf(numpy is None, 'NumPy is hidden')
    def test_no_copy(self):
        array = numpy.arange(8, dtype='u8')
        address, size, kept = rp.types.memory(array, rp.goldilocks, 'x')
        self.assertEqual((address, size), (array.ctypes.data, 64))
        self.assertIs(kept, array)
        strided = numpy.arange(16, dtype='u8')[::2]
        self.assertEqual(rp.types.memory(strided, rp.goldilocks, 'x')[2].tolist(), strided.tolist())

    @unittest.skipIf(numpy is None, 'NumPy is hidden')
    def test_a_run_copies_nothing_in_python(self):
        """What Python allocates during a run is less than any array: tracemalloc sees NumPy's memory, too."""
        for kind, n in ((rp.bn254_fr, 2**14), (rp.goldilocks, 2**16), (rp.babybear, 2**17)):
            with self.subTest(kind.name), rp.Graph() as g:
                (g.input('x', kind, n) + g.input('y', kind, n)).output('z')
                with g.record(rp.Device('cpu')) as recording:
                    x, y, z = kind.array([1] * n), kind.array([2] * n), kind.empty(n)
                    recording(x=x, y=y, out={'z': z})
                    tracemalloc.start()
                    recording(x=x, y=y, out={'z': z})
                    given = tracemalloc.get_traced_memory()[1]
                    tracemalloc.reset_peak()
                    made = recording(x=x, y=y)['z']
                    own = tracemalloc.get_traced_memory()[1]
                    tracemalloc.stop()
                    self.assertLess(given, z.nbytes // 4)
                    self.assertLess(own, z.nbytes * 5 // 4)
                    self.assertEqual((kind.ints(z[-1:]), kind.ints(made[-1:])), ([3], [3]))


class Graphs(unittest.TestCase):
    def test_ntt_needs_a_convention_only_where_they_differ(self):
        g = rp.Graph()
        x = g.input('x', rp.goldilocks, 8)
        rp.ntt(x).output('y')  # all conventions agree for this field
        values = [3, 1, 4, 1, 5, 9, 2, P - 6]
        result = g.record(rp.Device('cpu'))(x=values)
        self.assertEqual(rp.goldilocks.ints(result['y']), naive_dft(values, rp.goldilocks.root(3, 'snarkjs'), P))
        with self.assertRaisesRegex(rp.Error, 'say whose roots of unity'):
            rp.ntt(rp.Graph().input('x', rp.bn254_fr, 8))

    def test_operators(self):
        g = rp.Graph()
        a, b = g.input('a', rp.f97, 4), g.input('b', rp.f97, 4)
        ((a + b) * 3 - (-a) + 1).output('r')
        (2 - a[1:3]).output('s')
        result = g.record()(a=[1, 2, 3, 96], b=[5, 6, 7, 8])
        self.assertEqual(rp.f97.ints(result['r']), [(3 * (x + y) + x + 1) % 97 for x, y in
                                                    zip([1, 2, 3, 96], [5, 6, 7, 8])])
        self.assertEqual(rp.f97.ints(result['s']), [0, 96])
        with self.assertRaises(TypeError):
            a[::2]

    def test_results_go_where_they_should(self):
        g = rp.Graph()
        (g.input('x', rp.goldilocks, 3) + 1).output('y')
        recording, place = g.record(), rp.goldilocks.array([0, 0, 0])
        result = recording({'x': rp.goldilocks.array([1, 2, 3])}, out={'y': place})
        self.assertIs(result['y'], place)
        self.assertEqual(rp.goldilocks.ints(place), [2, 3, 4])
        with self.assertRaisesRegex(ValueError, "no input 'z', but x"):
            recording(z=[1])
        with self.assertRaisesRegex(ValueError, "no output 'z', but y"):
            recording(x=[1, 2, 3], out={'z': place})
        with self.assertRaises(rp.Error) as raised:
            recording()
        self.assertIn('x', raised.exception.reason)

    def test_errors_have_code_and_reason(self):
        g = rp.Graph()
        with self.assertRaises(rp.Error) as raised:
            g.input('a', rp.bn254_fr, 4) + g.input('b', rp.bn254_fp, 4)
        self.assertEqual(raised.exception.code, 'RP_ERR_TYPE')
        self.assertEqual(raised.exception.status, c.RP_ERR_TYPE)
        self.assertIn('add', raised.exception.reason)
        self.assertIn(raised.exception.reason, str(raised.exception))
        g = rp.Graph()
        rp.from_canonical(g.input('x', rp.u256, 1), rp.bn254_fr).output('y')
        with self.assertRaisesRegex(rp.Error, 'not below'):
            g.record()(x=[rp.bn254_fr.modulus])

    def test_many_operations(self):
        g = rp.Graph()
        x = g.input('x', rp.bn254_fr, 4)
        values = [1, 2, 0, 5]
        inverse, mask = rp.batch_inverse_with_mask(x)
        inverse.output('inverse'), mask.output('mask')
        rp.sum(x).output('sum')
        rp.prefix_product(x, exclusive=True).output('prefix')
        rp.poly_eval(x, g.constant('at', rp.bn254_fr, [10])).output('eval')
        rp.poly_divide(x, g.constant('by', rp.bn254_fr, [10])).output('divide')
        rp.concat([x, rp.pad(x[0:1], 3)]).output('concat')
        rp.gather(x, g.constant('index', rp.u32, [3, 0])).output('gather')
        rp.powers(g.constant('base', rp.bn254_fr, [3]), 4).output('powers')
        m = rp.operations.Csr(g.constant('row', rp.u32, [0, 2, 3]), g.constant('col', rp.u32, [0, 1, 3]),
                              g.constant('val', rp.bn254_fr, [10, 1, 7]), 2, 4)
        rp.spmv(m, x).output('spmv')
        rp.hash_rows('poseidon_bn254', x, 2).output('hash')
        rp.operations.slice_at(x, len=2).output('slice')
        rp.operations.sub(x, x[0:1]).output('sub')  # made from its declaration
        rp.keccak256(rp.to_canonical(x)).output('keccak')
        result = g.record()(x=values)
        p = rp.bn254_fr.modulus
        ints = {name: (rp.bn254_fr.ints(array) if name not in ('mask', 'keccak') else array)
                for name, array in result.items()}
        self.assertEqual(ints['inverse'], [1, pow(2, -1, p), 0, pow(5, -1, p)])
        self.assertEqual(list(ints['mask']), [0, 0, 1, 0])
        self.assertEqual((ints['sum'], ints['prefix']), ([8], [1, 1, 2, 0]))
        self.assertEqual((ints['eval'], ints['gather'], ints['powers']), ([5021], [5, 1], [1, 3, 9, 27]))
        self.assertEqual(ints['divide'], [502, 50, 5])
        self.assertEqual((ints['slice'], ints['sub']), ([1, 2], [0, 1, p - 1, 4]))
        with self.assertRaisesRegex(TypeError, 'sub takes 2 arguments \\(a, b\\), not 1'):
            rp.operations.sub(x)
        with self.assertRaisesRegex(AttributeError, "no attribute 'no_such_operation'"):
            _ = rp.operations.no_such_operation
        self.assertEqual((ints['concat'], ints['spmv']), ([1, 2, 0, 5, 1, 0, 0], [12, 35]))
        self.assertEqual(ints['hash'][0], int('115cc0f5e7d690413df64c6b9662e9cf2a3617f2743245519e19607a4417189a', 16))

    def test_transcripts(self):
        g = rp.Graph()
        x = g.input('x', rp.u256, 4)
        text = rp.to_bytes(x, 'big_endian').output('text')
        rp.from_bytes(text, rp.u32, 'big_endian', row_bytes=32, bits=20).output('low')
        rp.sha256(text).output('sha')
        rp.sha256(text, row_bytes=32).output('rows')
        rp.blake2b(text, digest_bytes=32, personal=b'test').output('blake')
        rp.blake2b(text, row_bytes=64).output('blake rows')
        rp.challenge(rp.sha256(text), 32, rp.bn254_fr, 'big_endian').output('challenge')
        rp.low_bits(x, 5).output('index')
        rp.sponge('poseidon2_bn254_t3', rp.from_canonical(x, rp.bn254_fr), 4, 2).output('sponge')
        with self.assertRaises(ValueError):
            rp.blake2b(text, personal=bytes(17))
        values = [1, 2**200 + 77, 2**20 + 31, 0]
        result = g.record()(x=values)
        rows = [value.to_bytes(32, 'big') for value in values]
        whole = b''.join(rows)
        sha = hashlib.sha256(whole).digest()
        self.assertEqual((bytes(result['text']), bytes(result['sha'])), (whole, sha))
        self.assertEqual(bytes(result['rows']), b''.join(hashlib.sha256(row).digest() for row in rows))
        self.assertEqual(bytes(result['blake']), hashlib.blake2b(whole, digest_size=32, person=b'test').digest())
        self.assertEqual(bytes(result['blake rows']),
                         b''.join(hashlib.blake2b(whole[at:at + 64]).digest() for at in (0, 64)))
        self.assertEqual(rp.bn254_fr.ints(result['challenge']), [int.from_bytes(sha, 'big') % rp.bn254_fr.modulus])
        self.assertEqual(rp.u32.ints(result['index']), [value % 32 for value in values])
        self.assertEqual(rp.u32.ints(result['low']), [value % 2**20 for value in values])
        self.assertEqual(len(rp.bn254_fr.ints(result['sponge'])), 2)

    def test_subgraphs(self):
        body = rp.Graph('step')
        acc, z, c = (body.input(name, rp.bn254_fr, 2) for name in ('acc', 'z', 'c'))
        (acc * z + c).output('next')
        g = rp.Graph()
        z, x = g.input('z', rp.bn254_fr, 2), g.input('x', rp.bn254_fr, 6)
        last, stacks = rp.repeat(g, 'horner', body, 3, {'acc': ('next', x[0:2])}, shared={'z': z}, sliced={'c': x},
                                 stacked=['next'])
        last['next'].output('last')
        rp.call(g, 'once', body, {'acc': z, 'z': z, 'c': stacks['next'][0:2]})['next'].output('once')
        side = rp.batch(g, 'side', body, 3, ['next'], shared={'z': z}, sliced={'acc': stacks['next'], 'c': x})
        side['next'].output('side')
        with self.assertRaises(rp.Error) as caught:
            rp.call(rp.Graph(), 'wrong', body, {})
        self.assertIn("input 'acc' is not given", str(caught.exception))
        other = rp.Graph('other')
        (other.input('acc', rp.bn254_fr, 2) * 100).output('next')
        bit = g.input('bit', rp.u32)
        both = rp.branch(g, 'one of two', bit, body, other, {'acc': z, 'z': z, 'c': z}, ['next'])
        both['next'].output('if')
        rp.select(bit, z, x[0:2]).output('select')
        del body, last, stacks, side, other, both
        result = g.record()(z=[2, 10], x=[1, 2, 3, 4, 5, 6], bit=[0])
        ints = {name: rp.bn254_fr.ints(array) for name, array in result.items()}
        self.assertEqual(ints['last'], [23, 2246])  # 1, 2 -> 3, 22 -> 9, 224 -> 23, 2246
        self.assertEqual(ints['once'], [7, 122])
        self.assertEqual((ints['if'], ints['select']), ([200, 1000], [1, 2]))
        self.assertEqual(ints['side'], [7, 222, 21, 2244, 51, 22466])

    def test_computed_values(self):
        g = rp.Graph('computed')
        x = rp.from_canonical(g.input('x', rp.u32, 8), rp.babybear)
        number = g.input('number', rp.u32, 1)
        shift = rp.from_canonical(number, rp.babybear)
        back = rp.ntt_coset(rp.ntt_coset(x, shift, root='plonky3'), shift, root='plonky3', inverse=True)
        rp.to_canonical(back).output('back')
        rp.to_canonical(rp.slice_at(x, 6, first=number, count=number)).output('slice')
        tree = rp.merkle_tree('poseidon2_babybear', rp.concat([x, x, x, x]))
        rp.merkle_paths('poseidon2_babybear', rp.concat([x, x, x, x]), tree, number).output('path')
        for wrong in (lambda: rp.pad(x, number), lambda: rp.powers(shift, number), lambda: rp.ntt(x, shift=shift)):
            with self.assertRaises(TypeError):
                wrong()
        result = g.record()(x=list(range(1, 9)), number=[3])
        for name, want in (('back', range(1, 9)), ('slice', (4, 5, 6, 0, 0, 0))):
            self.assertEqual(bytes(result[name]), b''.join(number.to_bytes(4, 'little') for number in want))
        self.assertEqual(bytes(result['path'])[:4], ((1 << 32) % (15 * 2**27 + 1)).to_bytes(4, 'little'))

    def test_points(self):
        g = rp.Graph()
        scalars = g.input('s', rp.u256, 3)
        points = g.constant('p', rp.bn254_g1, rp.bn254_g1.generator * 3)
        rp.to_affine(rp.msm(scalars, points)).output('sum')
        matrix = rp.bucket_matrix(scalars, rp.bn254_g1, window_bits=4)
        rp.to_affine(matrix.window_reduce(matrix.windows(points))).output('by_steps')
        rp.to_affine(matrix.windows(points)[1:3]).output('windows')
        rp.to_affine(matrix.range(1, 2).windows(points)).output('range')
        shared = rp.msm_scalars(scalars, rp.bn254_g1, products=2, constant_points=True)
        rp.to_affine(rp.msm_of(shared, points)).output('shared')
        rp.to_affine(rp.msm_of(shared, points, g.constant('support', rp.u32, [3]))).output('first_two')
        one = rp.scalar_mul(g.constant('six', rp.u256, [6]), points[0:1])
        rp.to_affine(one).output('six')
        rp.to_affine(rp.scalar_mul(g.constant('three', rp.u256, [3]), points[0:1])).output('three')
        result = g.record()(s=[1, 2, 3])
        self.assertEqual(bytes(result['sum']), bytes(result['six']))
        self.assertEqual(bytes(result['sum']), bytes(result['by_steps']))
        self.assertEqual(bytes(result['windows']), bytes(result['range']))
        self.assertEqual(bytes(result['sum']), bytes(result['shared']))
        self.assertEqual(bytes(result['first_two']), bytes(result['three']))

    def test_save_and_load(self):
        g = rp.Graph('saved')
        (g.input('x', rp.f97, 2) * g.constant('k', rp.f97, [3, 4])).output('y')
        with tempfile.TemporaryDirectory() as folder:
            for beside in (False, True):
                path = os.path.join(folder, f'graph{beside}.rpg')
                g.save(path, beside=beside)
                loaded = rp.Graph.load(path, map=beside)
                self.assertEqual((loaded.name, loaded.inputs, loaded.outputs), ('saved', ['x'], ['y']))
                self.assertEqual(rp.f97.ints(loaded.record()(x=[1, 2])['y']), [3, 8])
            with open(os.path.join(folder, 'graphFalse.rpg'), 'rb') as file:
                self.assertEqual(len(rp.Graph.load(file.read())), 1)
        with self.assertRaises(rp.Error) as raised:
            rp.Graph.load(b'no graph at all')
        self.assertEqual(raised.exception.code, 'RP_ERR_FORMAT')

    def test_drawing(self):
        g = rp.Graph()
        (g.input('x', rp.f97, 2) + 1).output('y')
        self.assertIn('digraph', g.dot())
        self.assertRegex(g._repr_html_(), '<iframe|<svg|<pre>digraph')
        path, os.environ['PATH'] = os.environ['PATH'], ''
        try:
            self.assertIn('<pre>digraph', drawing.html(g.dot()))
            with unittest.mock.patch.object(viewing, 'MOST_IN_NOTEBOOK', 0):
                self.assertIn('<pre>digraph', g._repr_html_())
        finally:
            os.environ['PATH'] = path
        recording = g.record(profile=True)
        self.assertIn('digraph', recording.dot())
        self.assertGreater(recording.plan.total_bytes, 0)

    def test_pages(self):
        g = rp.Graph()
        with g.scope('sum', title='Sum: "2" & more, 100%'):
            (g.input('x', rp.f97, 2) + 1).output('y')
        device = rp.Device('cpu')
        recording = g.record(device, profile=True)
        with recording.begin() as run:
            run.set('x', [1, 2])
            run.submit()
            run.wait()
            try:
                page = recording.view([run], label='a "label"', device=device)
            except rp.Error as error:
                self.assertEqual(error.code, 'RP_ERR_UNAVAILABLE')
                self.assertIn('npm', error.reason)
                return
        self.assertIn('<!DOCTYPE html>', page.html)
        text = page.html.split('class="document">')[1].split('</script>')[0]
        shown = json.loads(text)
        self.assertEqual(shown['label'], 'a "label"')
        self.assertEqual(len(shown['runs']), 1)
        self.assertGreater(shown['ceilings']['bytes_per_s'], 0)
        self.assertIn('f97', shown['ceilings']['products_per_s'])
        self.assertEqual(shown['graph']['scopes'][1]['title'], 'Sum: "2" & more, 100%')
        with tempfile.TemporaryDirectory() as folder:
            page.save(os.path.join(folder, 'a.html'))
            with open(os.path.join(folder, 'a.html'), encoding='utf-8') as file:
                self.assertEqual(file.read(), page.html)
        self.assertNotIn('<script', page._repr_html_())
        self.assertIn('<iframe', g._repr_html_())
        self.assertIn('View', repr(g.view()))

    def test_runs_in_steps(self):
        g = rp.Graph()
        x = g.input('x', rp.goldilocks, 4, resident=True)
        (x + g.input('k', rp.goldilocks, 1)).output('y')
        with rp.Device('cpu') as device, g.record(device, in_flight=2) as recording:
            buffer = device.buffer(32)
            buffer.write(rp.goldilocks.array([1, 2, 3, 4]))
            with recording.begin() as first, recording.begin() as second:
                for run, k in ((first, 10), (second, 20)):
                    run.set('k', [k])
                    run.bind('x', buffer)
                    run.submit()
                first.wait(), second.wait()
                self.assertTrue(first.poll())
                self.assertEqual(rp.goldilocks.ints(first.output('y')), [11, 12, 13, 14])
                self.assertEqual(rp.goldilocks.ints(second.output('y')), [21, 22, 23, 24])
                self.assertEqual(first.counters['submissions'], 1)
                with self.assertRaises(rp.Error) as raised:
                    recording.begin(timeout_ns=0)
                self.assertEqual(raised.exception.code, 'RP_ERR_BUSY')


class Lifetimes(unittest.TestCase):
    def chain(self, log):
        context = rp.Context(log=lambda level, message: log.append(message))
        device = rp.Device('cpu', threads=1, context=context)
        g = rp.Graph(context=context)
        (g.input('x', rp.f97, 2) + 1).output('y')
        recording = g.record(device)
        run = recording.begin()
        return [context, device, g, recording, run]

    def test_any_order(self):
        import itertools
        for order in itertools.islice(itertools.permutations(range(5)), 0, None, 7):
            log, objects = [], self.chain([])
            for i in order:
                objects[i].close()
                objects[i].close()
            self.assertEqual(log, [])

    def test_cycles(self):
        for i in range(5):
            objects = self.chain([])
            objects[i].cycle = objects
            objects[0].cycle = objects[4]
            del objects
            gc.collect()

    def test_closed_objects_say_so(self):
        device = rp.Device('cpu')
        device.close()
        with self.assertRaisesRegex(ValueError, 'this Device is closed'):
            device.info
        self.assertIn('closed', repr(device))

    def test_threads(self):
        g = rp.Graph()
        (g.input('x', rp.goldilocks, 64) * 3).output('y')
        recording, wrong = g.record(in_flight=2), []

        def work(k):
            for _ in range(50):
                if rp.goldilocks.ints(recording(x=[k] * 64)['y']) != [3 * k] * 64:
                    wrong.append(k)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


@unittest.skipIf('CUBE' not in os.environ, 'the kernel was not compiled')
class OwnOperations(unittest.TestCase):
    def setUp(self):
        import ctypes
        self.kernel = ctypes.CDLL(os.environ['CUBE']).cube

    def test_cube(self):
        cube = rp.Operation('cube', self.kernel, 1, params=['add'])
        g = rp.Graph()
        cube(g.input('x', rp.u64, 5), add=7).output('y')
        result = g.record(rp.Device('cpu'))(x=[0, 1, 2, 3, 2**63])
        self.assertEqual(rp.u64.ints(result['y']), [(x**3 + 7) % 2**64 for x in (0, 1, 2, 3, 2**63)])

    def test_shape_rule(self):
        def shape(types, lengths, params):
            if types[0] != 'u64':
                raise TypeError(f'cube is for u64, not for {types[0]}')
            return [(rp.u64, lengths[0] - params[0])]

        cube = rp.Operation('cube', self.kernel, 1, params=['add'], shape=shape)
        g = rp.Graph()
        self.assertEqual(len(cube(g.input('x', rp.u64, 5), add=2)), 3)
        with self.assertRaisesRegex(TypeError, 'not for u32'):
            cube(g.input('y', rp.u32, 5), add=2)
        with self.assertRaisesRegex(TypeError, "parameters \\['add'\\]"):
            cube(rp.Graph().input('z', rp.u64, 5))

    def test_saved_graphs_name_it(self):
        cube = rp.Operation('cube', self.kernel, 1, params={'add': (1, 9)})
        with self.assertRaisesRegex(rp.Error, 'add'):  # 0 is not allowed
            cube(rp.Graph().input('x', rp.u64, 5), add=0)
        g = rp.Graph('cubed')
        cube(g.input('x', rp.u64, 5), add=7).output('y')
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'g.rpg')
            g.save(path)
            with self.assertRaisesRegex(rp.Error, 'cube'):
                rp.Graph.load(path)
            again = rp.Graph.load(path, operations=[cube])
            with open(path, 'rb') as file:
                from_bytes = rp.Graph.load(file.read(), operations=[cube])
            later = rp.Operation('cube', self.kernel, 1, params={'add': (1, 9)}, version=2)
            with self.assertRaisesRegex(rp.Error, 'version'):
                rp.Graph.load(path, operations=[later])
            with self.assertRaisesRegex(rp.Error, 'add'):  # 7 is not allowed there
                rp.Graph.load(path, operations=[rp.Operation('cube', self.kernel, 1, params={'add': (1, 6)})])
        for graph in (again, from_bytes):
            result = graph.record(rp.Device('cpu'))(x=[0, 1, 2, 3, 2**63])
            self.assertEqual(rp.u64.ints(result['y']), [(x**3 + 7) % 2**64 for x in (0, 1, 2, 3, 2**63)])


if __name__ == '__main__':
    unittest.main()
