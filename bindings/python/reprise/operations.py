# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The built-in operations. Each adds nodes to the graph of its operands; none computes. reprise/ops.h and
reprise/transcript.h have the contracts.

Choices are words: root="snarkjs", "halo2", "arkworks" or "plonky3"; zero="to_zero" or "strict"; hash="poseidon_bn254",
"rescue_rp64_256" and so on.
"""
import ctypes
from typing import Any, NamedTuple, Optional, Sequence, Tuple

from . import c
from .graphs import Graph, Value
from .types import Curve, Type

__all__ = [
    'Buckets', 'Csr', 'batch_inverse', 'batch_inverse_with_mask', 'blake2b', 'bucket_matrix', 'challenge',
    'coeff_to_extended', 'compress', 'concat', 'csr_transpose', 'ell_to_csr', 'expr', 'extended_domain',
    'extended_to_coeff', 'field_constant', 'fixed_base_mul', 'from_affine', 'from_bytes', 'from_canonical',
    'from_montgomery', 'gather', 'hash_permute', 'hash_rows', 'keccak256', 'keccak256_rows', 'low_bits',
    'merkle_level', 'merkle_paths', 'merkle_tree', 'msm', 'msm_of', 'msm_scalars', 'mul_powers', 'mul_sub', 'ntt',
    'ntt_coset', 'pad', 'pedersen_map_to_scalar', 'point_add', 'point_check', 'point_coordinates', 'point_neg',
    'poly_divide', 'poly_eval', 'powers', 'prefix_product', 'prefix_sum', 'product', 'scalar_mul', 'select', 'sha256',
    'slice_at', 'spmv', 'sponge', 'sum', 'to_affine', 'to_bytes', 'to_canonical', 'to_montgomery', 'tree_reduce',
    'vanishing_inverse']


def _raws(values: Sequence[Value]) -> Any:
    return (c.rp_value * len(values))(*[value.raw for value in values])


def _none(value: Optional[Value]) -> Any:
    return value.raw if value is not None else c.rp_value(0, 0)


def _made(function: Any, x: Value, *arguments: Any) -> Value:
    for argument in arguments:
        if isinstance(argument, Value):
            raise TypeError(function.__name__ + ': a number that is fixed when the graph is recorded cannot be a value '
                            'of it; docs/computed-values.md says what can')
    return x.graph.made(function(x.graph.pointer, x.raw, *arguments))


# ---- Moving and converting -------------------------------------------------------------------------------------------

def concat(parts: Sequence[Value]) -> Value:
    graph = parts[0].graph
    return graph.made(c.rp_concat(graph.pointer, _raws(parts), len(parts)))


def gather(x: Value, index: Value) -> Value:
    """out[i] = x[index[i]]; index of u32."""
    return _made(c.rp_gather, x, index.raw)


def slice_at(x: Value, len: int, *, first: Optional[Value] = None, count: Optional[Value] = None) -> Value:
    """out[i] = x[first + i] for i < count, zeros from there to the length; first and count are values of u32."""
    return _made(c.rp_slice_at, x, _none(first), _none(count), len)


def select(condition: Value, a: Value, b: Value) -> Value:
    """a if the condition, one u32, is not 0, else b."""
    return _made(c.rp_select, condition, a.raw, b.raw)


def pad(x: Value, len: int) -> Value:
    """Appends zeros up to the length."""
    return _made(c.rp_pad, x, len)


def from_canonical(x: Value, field: Type, *, reduce: bool = False) -> Value:
    """Integers to elements of a field. A value that is not below the modulus is a fault of the run, or reduced."""
    options = c.options('rp_convert_options', reduce=int(reduce))
    return _made(c.rp_from_canonical, x, field.id, ctypes.byref(options))


def to_canonical(x: Value) -> Value:
    return _made(c.rp_to_canonical, x)


def from_montgomery(x: Value) -> Value:
    return _made(c.rp_from_montgomery, x)


def to_montgomery(x: Value) -> Value:
    return _made(c.rp_to_montgomery, x)


# ---- Field vectors; a + b, a - b, a * b, -a and x[first:end] are operators -------------------------------------------

def mul_sub(a: Value, b: Value, subtrahend: Value) -> Value:
    """a[i] * b[i] - subtrahend[i]"""
    return _made(c.rp_mul_sub, a, b.raw, subtrahend.raw)


def powers(base: Value, n: int, *, scale: Optional[Value] = None) -> Value:
    """scale * base^i for n elements."""
    return _made(c.rp_powers, base, _none(scale), n)


def mul_powers(x: Value, base: Value, *, scale: Optional[Value] = None) -> Value:
    """x[i] * scale * base^i"""
    return _made(c.rp_mul_powers, x, base.raw, _none(scale))


def field_constant(graph: Graph, name: str, field: Type, number: int) -> Value:
    """A single element."""
    size = field.size_bytes
    return graph.made(c.rp_field_constant(graph.pointer, name.encode(), field.id, number.to_bytes(size, 'little')))


def sum(x: Value) -> Value:
    return _made(c.rp_sum, x)


def product(x: Value) -> Value:
    return _made(c.rp_product, x)


def prefix_product(x: Value, *, exclusive: bool = False) -> Value:
    return _made(c.rp_prefix_product, x, int(exclusive))


def prefix_sum(x: Value) -> Value:
    """Exclusive prefix sum of u32, and the total: len(x) + 1 elements."""
    return _made(c.rp_prefix_sum, x)


def poly_eval(x: Value, points: Value) -> Value:
    """The polynomial with coefficients x at each of the points."""
    return _made(c.rp_poly_eval, x, points.raw)


def poly_divide(x: Value, point: Value) -> Value:
    """The quotient of the polynomial by X - point."""
    return _made(c.rp_poly_divide, x, point.raw)


Step = Tuple[Any, ...]


def expr(columns: Sequence[Value], constants: Value, code: Sequence[Step], *, rotation_step: int = 1) -> Value:
    """A fused expression over columns, in postfix notation (reprise/expr.h).

    Steps are ("column", index, rotation), ("constant", index), ("periodic", index, period), ("add",), ("sub",),
    ("mul",), ("neg",), ("sqr",), ("store", temporary), ("load", temporary).
    """
    steps = (c.rp_expr_code * len(code))()
    for place, step in zip(steps, code):
        name, index, rotation = (*step, 0, 0)[:3]
        place.op, place.index, place.rotation = c.choice('rp_expr_op', name), index, rotation
    options = c.options('rp_expr_options', n_code=len(code), rotation_step=rotation_step)
    options.code = ctypes.cast(steps, ctypes.POINTER(c.rp_expr_code))
    graph = columns[0].graph
    return graph.made(c.rp_expr(graph.pointer, _raws(columns), len(columns), constants.raw, ctypes.byref(options)))


def batch_inverse(x: Value, *, zero: str = 'to_zero', constant_time: bool = False, serial: bool = False) -> Value:
    """1 / x[i]"""
    options = c.options('rp_batch_inverse_options', zero=c.choice('rp_zero_policy', zero),
                        constant_time=int(constant_time), serial=int(serial))
    return _made(c.rp_batch_inverse, x, ctypes.byref(options))


def batch_inverse_with_mask(x: Value) -> Tuple[Value, Value]:
    """1 / x[i], and a u8 value that is 1 where x is zero."""
    mask = c.rp_value()
    options = c.options('rp_batch_inverse_options')
    options.zero_mask = ctypes.pointer(mask)
    inverse = _made(c.rp_batch_inverse, x, ctypes.byref(options))
    return inverse, x.graph.made(mask)


# ---- NTT -------------------------------------------------------------------------------------------------------------

def _ntt_options(x: Value, root: Optional[str], inverse: bool, batch: int, in_order: str, out_order: str, coset: str,
                 scale: bool) -> Any:
    return c.options('rp_ntt_options', root=c.choice('rp_root', root or x.type.only_root()),
                     inverse=int(inverse), batch=batch,
                     in_order=c.choice('rp_order', in_order), out_order=c.choice('rp_order', out_order),
                     coset=c.choice('rp_coset', coset), no_scale=int(not scale))


def ntt(x: Value, *, root: Optional[str] = None, inverse: bool = False, batch: int = 1, in_order: str = 'natural',
        out_order: str = 'natural', coset: str = 'none', shift: Optional[int] = None, scale: bool = True) -> Value:
    """X_i = sum of x_j w^(ij). root: whose convention for w; needed where conventions differ for the field.

    coset: "root_2n" (snarkjs's odd coset) or, with `shift`, "shift". scale=False: inverse transforms do not multiply by
    1/n.
    """
    if isinstance(shift, Value):
        raise TypeError('ntt: the shift is a number; ntt_coset takes a value')
    options = _ntt_options(x, root, inverse, batch, in_order, out_order, 'shift' if shift is not None else coset, scale)
    if shift is not None:
        options.shift = (ctypes.c_uint8 * 48)(*shift.to_bytes(48, 'little'))
    return _made(c.rp_ntt, x, ctypes.byref(options))


def ntt_coset(x: Value, shift: Value, *, root: Optional[str] = None, inverse: bool = False, batch: int = 1,
              in_order: str = 'natural', out_order: str = 'natural', scale: bool = True) -> Value:
    """The same over a coset whose shift is a value of length 1, for example a challenge."""
    options = _ntt_options(x, root, inverse, batch, in_order, out_order, 'none', scale)
    return _made(c.rp_ntt_coset, x, shift.raw, ctypes.byref(options))


# ---- Sparse matrices -------------------------------------------------------------------------------------------------

class Csr(NamedTuple):
    """Compressed sparse rows: row_ptr u32[rows + 1], col u32[nnz], val field[nnz]."""
    row_ptr: Value
    col: Value
    val: Value
    rows: int
    cols: int


def _csr(m: Csr) -> Any:
    return c.rp_csr(m.row_ptr.raw, m.col.raw, m.val.raw, m.rows, m.cols)


def _from_csr(graph: Graph, made: Any) -> Csr:
    row_ptr, col, val = (graph.made(c.rp_value(raw.id, raw.graph)) for raw in (made.row_ptr, made.col, made.val))
    return Csr(row_ptr, col, val, made.rows, made.cols)


def spmv(m: Csr, x: Value, *, scheme: str = 'auto', x_canonical: bool = False) -> Value:
    """y[r] = the sum over the entries of row r of val * x[col]."""
    options = c.options('rp_spmv_options', scheme=c.choice('rp_spmv_scheme', scheme), x_canonical=int(x_canonical))
    return x.graph.made(c.rp_spmv(x.graph.pointer, ctypes.byref(_csr(m)), x.raw, ctypes.byref(options)))


def csr_transpose(m: Csr) -> Csr:
    graph = m.row_ptr.graph
    return _from_csr(graph, c.rp_csr_transpose(graph.pointer, ctypes.byref(_csr(m))))


def ell_to_csr(row_len: Value, col: Value, val: Value, rows: int, cols: int, width: int) -> Csr:
    """ELLPACK with `width` places per row to compressed sparse rows."""
    ell = c.rp_ell(row_len.raw, col.raw, val.raw, rows, cols, width)
    return _from_csr(col.graph, c.rp_ell_to_csr(col.graph.pointer, ctypes.byref(ell)))


# ---- Points ----------------------------------------------------------------------------------------------------------

def from_affine(affine: Value) -> Value:
    return _made(c.rp_from_affine, affine)


def to_affine(acc: Value) -> Value:
    return _made(c.rp_to_affine, acc)


def point_add(a: Value, b: Value) -> Value:
    return _made(c.rp_point_add, a, b.raw)


def point_neg(a: Value) -> Value:
    return _made(c.rp_point_neg, a)


def point_check(affine: Value, *, subgroup: bool = False) -> Value:
    """The points unchanged; one off the curve, or outside the subgroup, is a fault of the run."""
    return _made(c.rp_point_check, affine, int(subgroup))


def point_coordinates(affine: Value) -> Value:
    """x, y of each point, as elements of the base field."""
    return _made(c.rp_point_coordinates, affine)


def scalar_mul(scalars: Value, points: Value) -> Value:
    """scalars[i] * points[i]; scalars are canonical u256."""
    return _made(c.rp_scalar_mul, scalars, points.raw)


def fixed_base_mul(points: Value, scalars: Value, *, window_bits: int = 0) -> Value:
    """scalars[i] * points[i mod len(points)], by a table of multiples of the constant points."""
    graph = points.graph
    base = c.rp_fixed_base_table(graph.pointer, points.raw, window_bits)
    graph.check()
    return graph.made(c.rp_fixed_base_mul(graph.pointer, ctypes.byref(base), scalars.raw))


def tree_reduce(points: Value, width: int = 0) -> Value:
    """Sums of consecutive groups of `width` points; 0: of all."""
    return _made(c.rp_tree_reduce, points, width)


def msm(scalars: Value, points: Value, *, window_bits: int = 0, precompute: int = 0, batch: int = 1) -> Value:
    """The sum of scalars[i] * points[i], one accumulator point."""
    options = c.options('rp_msm_options', window_bits=window_bits, precompute=precompute, batch=batch)
    return _made(c.rp_msm, scalars, points.raw, ctypes.byref(options))


def msm_scalars(scalars: Value, curve: Curve, *, window_bits: int = 0, precompute: int = 0, products: int = 1,
                constant_points: bool = False, in_subgroup: bool = False) -> Value:
    """Scalars of several products, sorted once: for msm_of. in_subgroup promises that all points of the products are
    in the subgroup of prime order."""
    options = c.options('rp_msm_scalars_options', curve=curve.curve, window_bits=window_bits, precompute=precompute,
                        products=products, constant_points=int(constant_points), in_subgroup=int(in_subgroup))
    return _made(c.rp_msm_scalars, scalars, ctypes.byref(options))


def msm_of(scalars: Value, points: Value, support: Optional[Value] = None) -> Value:
    """The sum of scalars[i] * points[i], one accumulator point; with a u32 bitmap, of the points whose bit is 1."""
    return _made(c.rp_msm_of, scalars, points.raw, _none(support))


# ---- The steps of a multi-scalar multiplication ----------------------------------------------------------------------

class Buckets:
    """A bucket matrix: which points are summed in which bucket. One serves several vectors of points."""

    def __init__(self, graph: Graph, raw: Any) -> None:
        graph.check()
        self.graph = graph
        self._raw = raw

    def _apply(self, function: Any, *arguments: Any) -> Value:
        return self.graph.made(function(self.graph.pointer, ctypes.byref(self._raw), *arguments))

    def filter(self, support: Value) -> 'Buckets':
        """Without the points whose bit in the u32 bitmap is 0."""
        return Buckets(self.graph, c.rp_bucket_filter(self.graph.pointer, ctypes.byref(self._raw), support.raw))

    def range(self, first: int, windows: int) -> 'Buckets':
        """The rows of some whole windows."""
        return Buckets(self.graph, c.rp_bucket_range(self.graph.pointer, ctypes.byref(self._raw), first, windows))

    def accumulate(self, points: Value) -> Value:
        return self._apply(c.rp_bucket_accumulate, points.raw)

    def reduce(self, sums: Value) -> Value:
        return self._apply(c.rp_bucket_reduce, sums.raw)

    def windows(self, points: Value) -> Value:
        """accumulate and reduce as one node."""
        return self._apply(c.rp_bucket_windows, points.raw)

    def window_reduce(self, windows: Value) -> Value:
        return self._apply(c.rp_window_reduce, windows.raw)

    def multiples(self, points: Value) -> Value:
        """Tables of constant points for merged windows."""
        return _made(c.rp_window_multiples, points, self._raw.window_bits, self._raw.merged)


def bucket_matrix(scalars: Value, curve: Curve, *, window_bits: int = 0, merged: int = 1) -> Buckets:
    options = c.options('rp_bucket_options', curve=curve.curve, window_bits=window_bits, merged=merged)
    graph = scalars.graph
    return Buckets(graph, c.rp_bucket_matrix(graph.pointer, scalars.raw, ctypes.byref(options)))


# ---- Hashes ----------------------------------------------------------------------------------------------------------

def hash_permute(hash: str, width: int, states: Value) -> Value:
    return _hashed(c.rp_hash_permute, states, hash, width)


def _hashed(function: Any, x: Value, hash: str, *between: int) -> Value:
    return x.graph.made(function(x.graph.pointer, c.choice('rp_hash', hash), *between, x.raw))


def hash_rows(hash: str, x: Value, row_len: int) -> Value:
    """One digest for each row of row_len elements."""
    return x.graph.made(c.rp_hash_rows(x.graph.pointer, c.choice('rp_hash', hash), x.raw, row_len))


def merkle_level(hash: str, digests: Value) -> Value:
    return _hashed(c.rp_merkle_level, digests, hash)


def merkle_tree(hash: str, leaves: Value, *, schedule: str = 'auto', group: int = 0) -> Value:
    """The inner nodes in heap order: element 1 is the root, element 0 is zero."""
    options = c.options('rp_merkle_options', schedule=c.choice('rp_merkle_schedule', schedule), group=group)
    return leaves.graph.made(c.rp_merkle_tree(leaves.graph.pointer, c.choice('rp_hash', hash), leaves.raw,
                                              ctypes.byref(options)))


def merkle_paths(hash: str, leaves: Value, tree: Value, index: Value) -> Value:
    """The authentication paths of leaves[index[i]], each from the leaf up; tree is merkle_tree of these leaves."""
    return leaves.graph.made(c.rp_merkle_paths(leaves.graph.pointer, c.choice('rp_hash', hash), leaves.raw, tree.raw,
                                               index.raw))


def keccak256(x: Value) -> Value:
    """Ethereum's digest of all of x, u256 integers encoded big-endian."""
    return _made(c.rp_keccak256, x)


def keccak256_rows(x: Value, row_len: int) -> Value:
    return _made(c.rp_keccak256_rows, x, row_len)


# ---- Transcripts (reprise/transcript.h); encoding="big_endian" or "little_endian" ------------------------------------

def to_bytes(x: Value, encoding: str) -> Value:
    return _made(c.rp_to_bytes, x, c.choice('rp_encoding', encoding))


def compress(points: Value) -> Value:
    """The compressed encodings of affine points, as bytes: what transcripts absorb."""
    return _made(c.rp_compress, points)


def from_bytes(x: Value, type: Type, encoding: str, *, row_bytes: int = 0, skip_bits: int = 0,
               bits: int = 0) -> Value:
    """An integer for each row of row_bytes (0: all bytes), less its skip_bits lowest bits, then the lowest `bits`."""
    options = c.options('rp_bytes_options', encoding=c.choice('rp_encoding', encoding), row_bytes=row_bytes,
                        skip_bits=skip_bits, bits=bits)
    return _made(c.rp_from_bytes, x, type.struct, ctypes.byref(options))


def sha256(x: Value, *, row_bytes: Optional[int] = None) -> Value:
    """The digest of all bytes, or one for each row."""
    return _made(c.rp_sha256, x) if row_bytes is None else _made(c.rp_sha256_rows, x, row_bytes)


def blake2b(x: Value, *, row_bytes: Optional[int] = None, digest_bytes: int = 64, personal: bytes = b'') -> Value:
    if len(personal) > 16:
        raise ValueError(f'a personalisation of {len(personal)} bytes; BLAKE2b takes at most 16')
    options = c.options('rp_blake2b_options', digest_bytes=digest_bytes, personal=(ctypes.c_uint8 * 16)(*personal))
    last = ctypes.byref(options)
    return _made(c.rp_blake2b, x, last) if row_bytes is None else _made(c.rp_blake2b_rows, x, row_bytes, last)


def challenge(x: Value, row_bytes: int, field: Type, encoding: str) -> Value:
    """The integer of each row of bytes modulo the order of the field."""
    return _made(c.rp_challenge, x, row_bytes, field.id, c.choice('rp_encoding', encoding))


def low_bits(x: Value, bits: int) -> Value:
    return _made(c.rp_low_bits, x, bits)


def sponge(hash: str, x: Value, row_len: int, n_out: int) -> Value:
    """n_out elements squeezed for each row of row_len elements absorbed."""
    return x.graph.made(c.rp_sponge(x.graph.pointer, c.choice('rp_hash', hash), x.raw, row_len, n_out))


# ---- Ready parts (reprise/halo2.h, reprise/pedersen.h) ---------------------------------------------------------------

def extended_domain(root: str, k: int, extended_k: int, shift: int) -> Any:
    """The coset shift * w^i of 2^extended_k points, for polynomials of 2^k coefficients."""
    made = c.options('rp_extended_domain', root=c.choice('rp_root', root), k=k, extended_k=extended_k)
    made.shift = (ctypes.c_uint8 * 48)(*shift.to_bytes(48, 'little'))
    return made


def coeff_to_extended(coefficients: Value, domain: Any) -> Value:
    return _made(c.rp_coeff_to_extended, coefficients, ctypes.byref(domain))


def extended_to_coeff(values: Value, domain: Any, len: int = 0) -> Value:
    return _made(c.rp_extended_to_coeff, values, ctypes.byref(domain), len)


def vanishing_inverse(graph: Graph, field: Type, domain: Any) -> Value:
    """1 / (X^n - 1) on the coset."""
    return graph.made(c.rp_vanishing_inverse(graph.pointer, field.id, ctypes.byref(domain)))


def pedersen_map_to_scalar(affine: Value) -> Value:
    """x / y of Banderwagon points, as integers."""
    return _made(c.rp_pedersen_map_to_scalar, affine)


# ---- Every other constructor -----------------------------------------------------------------------------------------

def __getattr__(name: str) -> Any:
    """A constructor of reprise/ops.h or reprise/transcript.h that has no function above, made from its declaration: its
    arguments are values (None for RP_NO_VALUE) and numbers, in the order that they have there."""
    described = c.api['functions'].get('rp_' + name, {'params': [], 'returns': ''})
    types = [parameter.get('type') for parameter in described['params']]
    numbers = {'bool', 'int', 'uint32_t', 'uint64_t', *c.enums}
    if (described['returns'] != 'rp_value' or types[:2] != ['rp_graph *', 'rp_value'] or
            not set(types[2:]) <= numbers | {'rp_value'}):
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    names = [parameter['name'] for parameter in described['params'][1:]]

    def constructor(x: Value, *arguments: Any) -> Value:
        if len(arguments) + 1 != len(names):
            raise TypeError(f'{name} takes {len(names)} arguments ({", ".join(names)}), not {len(arguments) + 1}')
        raws = [_none(argument) if kind == 'rp_value' else argument for argument, kind in zip(arguments, types[2:])]
        return _made(getattr(c, 'rp_' + name), x, *raws)
    return constructor
