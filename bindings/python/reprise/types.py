# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Element types, and arrays of elements from and to Python's integers. reprise/types.h says how elements lie in memory.

An array of n elements is a NumPy array: uint64 of shape (n, 4) for 256-bit elements, (n, 6) for 384-bit ones and so on,
and of shape (n,) for 64-bit ones; uint32 and uint8 for smaller ones. Without NumPy it is a bytearray.
"""
import ctypes
from typing import Any, Dict, Iterable, List, Sequence, Tuple, Union

from . import c
from .errors import Error

try:
    import numpy
except ImportError:  # the package works without it
    numpy = None  # type: ignore[assignment]

Array = Any  # numpy.ndarray, or a bytearray without NumPy
# Elements of a quadratic extension are pairs (c0, c1). Affine points are pairs (x, y) of coordinates; None is the
# neutral element.
Element = Union[int, Tuple[Any, Any], None]


class Type:
    """A built-in element type, by the name that rp_type_by_name has: `Type("bn254_fr")` is `bn254_fr`."""

    def __init__(self, name: str) -> None:
        self.struct = c.rp_type_by_name(name.encode())
        if not self.struct:
            raise ValueError(f'there is no element type {name!r}')
        self.name = name
        self.size_bytes: int = self.struct.contents.size_bytes
        field = ctypes.c_int()
        is_field = c.rp_type_is_field(self.struct, ctypes.byref(field))
        self._field = c.rp_field_get(field.value).contents if is_field else None
        self._one = self._inverse = 1
        if self._field is not None:
            self._one = int.from_bytes(self._bytes_of(self._field.one)[:self._part], 'little')
            self._inverse = pow(self._one, -1, self.modulus)

    def _bytes_of(self, function: Any) -> bytes:
        place = (ctypes.c_uint64 * -(-self.size_bytes // 8))()
        function(place)
        return bytes(place)[:self.size_bytes]

    def __repr__(self) -> str:
        return f'reprise.{self.name}'

    @property
    def is_field(self) -> bool:
        return self._field is not None

    @property
    def modulus(self) -> int:
        """The prime of a field, or of the field that an extension is over."""
        return int.from_bytes(ctypes.string_at(self._host.modulus_le, self._part), 'little')

    @property
    def id(self) -> int:
        """rp_field of a field."""
        return int(self._host.id)

    @property
    def _host(self) -> Any:
        if self._field is None:
            raise TypeError(f'{self.name} is no field')
        return self._field

    @property
    def _part(self) -> int:
        """Bytes of an integer in an element."""
        return int(self.size_bytes // (self._field.degree if self._field is not None else 1))

    def empty(self, n: int) -> Array:
        """An array of n elements, not initialised."""
        if numpy is None:
            return bytearray(n * self.size_bytes)
        word, count = self._words()
        return numpy.empty((n,) if count == 1 else (n, count), dtype=f'<u{word}')

    def _words(self) -> Tuple[int, int]:
        word = 8 if self.size_bytes % 8 == 0 else 4 if self.size_bytes % 4 == 0 else 1
        return word, self.size_bytes // word

    def shaped(self, data: Union[bytes, bytearray]) -> Array:
        """The array of elements in these bytes, without a copy."""
        if numpy is None:
            return data
        word, count = self._words()
        array = numpy.frombuffer(data, dtype=f'<u{word}')
        return array if count == 1 else array.reshape(-1, count)

    def array(self, values: Union[int, Iterable[Element]]) -> Array:
        """The memory form of integers; of a field they must be below the modulus."""
        several: Sequence[Any] = [values] if isinstance(values, int) else list(values)
        size = self._part
        if self._field is None:
            parts = [int(value).to_bytes(size, 'little') for value in several]
        else:
            p, one, degree = self.modulus, self._one, self._field.degree
            flat = [int(value) for value in several] if degree == 1 else [int(v) for pair in several for v in pair]
            for value in flat:
                if not 0 <= value < p:
                    raise ValueError(f'{value} is not below the modulus of {self.name}')
            parts = [(value * one % p).to_bytes(size, 'little') for value in flat]
        return self.shaped(bytearray(b''.join(parts)))

    def ints(self, array: Any) -> List[Any]:
        """The integers of elements in memory form: the inverse of `array`."""
        data, size = bytes(memoryview(array).cast('B')) if contiguous(array) else array.tobytes(), self._part
        if len(data) % self.size_bytes:
            raise ValueError(f'{len(data)} bytes are no whole number of elements of {self.name}')
        values: List[Any] = [int.from_bytes(data[at:at + size], 'little') for at in range(0, len(data), size)]
        if self._field is None:
            return values
        p, inverse = self.modulus, self._inverse
        values = [value * inverse % p for value in values]
        return values if self._field.degree == 1 else list(zip(values[::2], values[1::2]))

    def root(self, log_n: int, convention: str) -> int:
        """The root of unity of order 2^log_n that `convention` takes: "snarkjs", "halo2", "arkworks", "plonky3"."""
        place = (ctypes.c_uint64 * -(-self.size_bytes // 8))()
        if not self._host.root(place, c.choice('rp_root', convention), log_n):
            raise ValueError(f'{self.name} has no root of order 2^{log_n} by the convention of {convention}')
        return int.from_bytes(bytes(place)[:self._part], 'little') * self._inverse % self.modulus

    def only_root(self) -> str:
        """A convention for roots of unity, if all conventions that the field has agree."""
        known: Dict[int, str] = {}
        for name in ('snarkjs', 'halo2', 'arkworks', 'plonky3'):
            try:
                known.setdefault(self.root(self._host.two_adicity, name), name)
            except ValueError:
                pass
        if len(known) != 1:
            raise Error(c.RP_ERR_ARGUMENT, 'RP_ERR_ARGUMENT', f'{self.name}: say whose roots of unity are meant, for '
                        f'example root={next(iter(known.values()), "snarkjs")!r}; conventions differ for this field.')
        return next(iter(known.values()))


def contiguous(array: Any) -> bool:
    return bool(memoryview(array).c_contiguous)


def memory(data: Any, kind: Type, what: str) -> Tuple[Any, int, Any]:
    """What a call may read: (address, bytes, what must be kept meanwhile). No copy of what is contiguous."""
    if isinstance(data, int) or (isinstance(data, (list, tuple, range))):
        data = kind.array(data)  # integers
    if numpy is not None and isinstance(data, numpy.ndarray):
        word, _ = kind._words()
        if data.dtype.kind != 'u' or data.dtype.itemsize not in (word, 1):
            raise TypeError(f'{what}: elements of {kind.name} are an array of uint{8 * word}, not of {data.dtype}')
        data = numpy.ascontiguousarray(data)
        return data.__array_interface__['data'][0], data.nbytes, data
    if isinstance(data, bytes):
        return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0, len(data), data
    view = memoryview(data).cast('B')
    kept = (ctypes.c_char * view.nbytes).from_buffer(view) if not view.readonly else ctypes.create_string_buffer(
        view.tobytes(), view.nbytes)
    return ctypes.addressof(kept), view.nbytes, kept


def writable(data: Any, what: str) -> Tuple[int, int, Any]:
    """The same for memory that a call writes."""
    if numpy is not None and isinstance(data, numpy.ndarray):
        if not data.flags.c_contiguous or not data.flags.writeable:
            raise ValueError(f'{what}: results are written to arrays that are contiguous and writable')
        return data.__array_interface__['data'][0], data.nbytes, data
    view = memoryview(data).cast('B')
    if view.readonly:
        raise ValueError(f'{what}: results are written to memory that is writable')
    kept = (ctypes.c_char * view.nbytes).from_buffer(view)
    return ctypes.addressof(kept), view.nbytes, kept


class Curve(Type):
    """A curve is the type of its affine points; `accumulator` is the type of their sums."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.curve = c.choice('rp_curve', name)
        self.accumulator = Type(name + '.acc')
        self.base = Type(c.rp_field_name(c.rp_curve_base_field(self.curve)).decode())
        self.scalar = Type(c.rp_field_name(c.rp_curve_scalar_field(self.curve)).decode())
        self._identity: bytes = self._bytes_of(c.rp_curve_get(self.curve).contents.identity)

    def array(self, values: Union[int, Iterable[Element]]) -> Array:
        """The memory form of points, which are pairs (x, y) of coordinates, or None: the neutral element. Whether they
        are on the curve is not checked: `point_check` does that in a graph."""
        if isinstance(values, int):
            raise TypeError(f'points of {self.name} are pairs (x, y), or None')
        data = b''
        for point in values:
            if point is not None and not (isinstance(point, (tuple, list)) and len(point) == 2):
                raise TypeError(f'points of {self.name} are pairs (x, y), or None; {point!r} is neither')
            data += self._identity if point is None else bytes(memoryview(self.base.array(point)).cast('B'))
        return self.shaped(bytearray(data))

    def ints(self, array: Any) -> List[Any]:
        """The points (x, y) in an array in memory form, None for the neutral element: the inverse of `array`."""
        data = bytes(memoryview(array).cast('B')) if contiguous(array) else array.tobytes()
        if len(data) % self.size_bytes:
            raise ValueError(f'{len(data)} bytes are no whole number of points of {self.name}')
        flat = self.base.ints(data)
        points = list(zip(flat[::2], flat[1::2]))
        size = self.size_bytes
        return [None if data[i * size:(i + 1) * size] == self._identity else point for i, point in enumerate(points)]

    @property
    def generator(self) -> bytes:
        """The memory form of the generator of the prime-order subgroup."""
        return self._bytes_of(c.rp_curve_get(self.curve).contents.generator)


u8, u32, u64, u256, u384 = (Type(_name) for _name in ('u8', 'u32', 'u64', 'u256', 'u384'))
bn254_fp, bn254_fr, bn254_fp2 = Type('bn254_fp'), Type('bn254_fr'), Type('bn254_fp2')
bls12_381_fp, bls12_381_fr, bls12_381_fp2 = Type('bls12_381_fp'), Type('bls12_381_fr'), Type('bls12_381_fp2')
secp256k1_fp, secp256k1_fn, bandersnatch_fr = Type('secp256k1_fp'), Type('secp256k1_fn'), Type('bandersnatch_fr')
goldilocks, babybear, koalabear, f97, f79 = (
    Type(_name) for _name in ('goldilocks', 'babybear', 'koalabear', 'f97', 'f79'))
bn254_g1, bn254_g2, bls12_381_g1, bls12_381_g2 = (
    Curve(_name) for _name in ('bn254_g1', 'bn254_g2', 'bls12_381_g1', 'bls12_381_g2'))
secp256k1, banderwagon, e97 = Curve('secp256k1'), Curve('banderwagon'), Curve('e97')
