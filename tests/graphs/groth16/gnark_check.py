# SPDX-License-Identifier: Apache-2.0 OR MIT
"""usage: gnark_check.py MAKE_GNARK_PROOFS DATA

Recomputes proofs with keys of gnark from pk.raw, solution.bin and the blinding values, in plain Python that shares
nothing with the library, and compares them with those that the library has made, byte by byte."""
import hashlib
import json
import os
import subprocess
import sys
import tempfile

# In the order of tests/gnark_fixtures.h.
FIXTURES = ["bn254/cubic", "bn254/edge", "bn254/range", "bn254/twocommit", "bls12-381/cubic", "bls12-381/range"]
BN254 = (21888242871839275222246405745257275088696311157297823662689037894645226208583,
         21888242871839275222246405745257275088548364400416034343698204186575808495617, 32)
BLS12_381 = (0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab,
             0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001, 48)


class Curve:
    """Points are None for infinity, or (x, y); a coordinate is a tuple of 1 or 2 integers, the real part first."""

    def __init__(self, p, order, n_bytes):
        self.p, self.r, self.n = p, order, n_bytes
        self.is_bn = n_bytes == 32

    def mul(self, a, b):
        if len(a) == 1:
            return (a[0] * b[0] % self.p,)
        return ((a[0] * b[0] - a[1] * b[1]) % self.p, (a[0] * b[1] + a[1] * b[0]) % self.p)

    def inv(self, a):
        if len(a) == 1:
            return (pow(a[0], -1, self.p),)
        norm = pow(a[0] * a[0] + a[1] * a[1], -1, self.p)
        return (a[0] * norm % self.p, -a[1] * norm % self.p)

    def sub(self, a, b):
        return tuple((x - y) % self.p for x, y in zip(a, b))

    def times(self, k, a):
        return tuple(k * x % self.p for x in a)

    def add(self, a, b):
        if a is None or b is None:
            return b if a is None else a
        if a[0] == b[0]:
            if a[1] != b[1] or not any(a[1]):
                return None
            slope = self.mul(self.times(3, self.mul(a[0], a[0])), self.inv(self.times(2, a[1])))
        else:
            slope = self.mul(self.sub(b[1], a[1]), self.inv(self.sub(b[0], a[0])))
        x = self.sub(self.sub(self.mul(slope, slope), a[0]), b[0])
        return (x, self.sub(self.mul(slope, self.sub(a[0], x)), a[1]))

    def multiple(self, k, a):
        total, k = None, k % self.r
        while k:
            if k & 1:
                total = self.add(total, a)
            a, k = self.add(a, a), k >> 1
        return total

    def product(self, scalars, points):
        assert len(scalars) == len(points)
        total = None
        for k, a in zip(scalars, points):
            total = self.add(total, self.multiple(k, a))
        return total

    def sum(self, *points):
        total = None
        for a in points:
            total = self.add(total, a)
        return total

    # ---- gnark's encodings: the imaginary part first, flags in the highest bits
    def raw(self, a, degree):
        if a is None:
            return bytes([0 if self.is_bn else 0x40]) + bytes(2 * degree * self.n - 1)
        return b"".join(part.to_bytes(self.n, "big") for coordinate in a for part in reversed(coordinate))

    def compressed(self, a, degree):
        if a is None:
            return bytes([0x40 if self.is_bn else 0xc0]) + bytes(degree * self.n - 1)
        sign = next((part for part in reversed(a[1]) if part), 0) > (self.p - 1) // 2
        text = bytearray(self.raw(a, degree)[:degree * self.n])
        text[0] |= (0xc0 if sign else 0x80) if self.is_bn else (0xa0 if sign else 0x80)
        return bytes(text)


class Reader:
    def __init__(self, data, curve):
        self.data, self.at, self.curve = data, 0, curve

    def number(self, n):
        self.at += n
        assert self.at <= len(self.data)
        return int.from_bytes(self.data[self.at - n:self.at], "big")

    def point(self, degree):
        parts = [self.number(self.curve.n) for _ in range(2 * degree)]
        if not any(parts[1:]) and parts[0] in (0, 0x40 << 8 * (self.curve.n - 1)):
            return None
        return tuple(tuple(reversed(parts[i:i + degree])) for i in (0, degree))

    def points(self, degree):
        return [self.point(degree) for _ in range(self.number(4))]

    def values(self):
        return [self.number(32) for _ in range(self.number(4))]


def read_key(data, curve):
    r, key = Reader(data, curve), {}
    key["n"] = r.number(8)
    _, key["omega"], _, key["shift"], _, _ = [r.number(32) for _ in range(5)] + [r.number(1)]
    for name in ("alpha", "beta", "delta"):
        key[name] = r.point(1)
    for name in ("A", "B", "Z", "K"):
        key[name] = r.points(1)
    for name in ("beta2", "delta2"):
        key[name] = r.point(2)
    key["B2"] = r.points(2)
    n_wires, _, _ = [r.number(8) for _ in range(3)]
    key["no_A"], key["no_B"] = [[r.number(1) for _ in range(n_wires)] for _ in range(2)]
    key["bases"] = [(r.points(1), r.points(1)) for _ in range(r.number(4))]
    assert r.at == len(data)
    return key


def transform(values, root, r):
    """Values at the powers of the root of the polynomial with these coefficients, by definition."""
    powers = [1]
    for _ in values[1:]:
        powers.append(powers[-1] * root % r)
    n = len(values)
    return [sum(v * powers[i * k % n] for k, v in enumerate(values)) % r for i in range(n)]


def back(values, root, r):
    scale = pow(len(values), -1, r)
    return [v * scale % r for v in transform(values, pow(root, -1, r), r)]


def quotient(a, b, key, r):
    """Coefficients of (A B - C) / (X^n - 1), with all three polynomials on the coset."""
    n, root, shift = key["n"], key["omega"], key["shift"]
    a, b = [x + [0] * (n - len(x)) for x in (a, b)]
    on_coset = [transform([v * pow(shift, i, r) for i, v in enumerate(back(x, root, r))], root, r)
                for x in (a, b, [x * y % r for x, y in zip(a, b)])]
    divisor = pow(pow(shift, n, r) - 1, -1, r)
    values = [(x * y - z) * divisor % r for x, y, z in zip(*on_coset)]
    return [v * pow(shift, -i, r) % r for i, v in enumerate(back(values, root, r))]


def hash_to_field(message, tag, r):
    """RFC 9380, 5.3.1, to 48 bytes."""
    tag += bytes([len(tag)])
    first = hashlib.sha256(bytes(64) + message + b"\0\x30\0" + tag).digest()
    blocks, last = b"", bytes(32)
    for i in (1, 2):
        last = hashlib.sha256(bytes(x ^ y for x, y in zip(first, last)) + bytes([i]) + tag).digest()
        blocks += last
    return int.from_bytes(blocks[:48], "big") % r


def prove(curve, key, wires, a, b, facts, blind_r, blind_s):
    r, bits = curve.r, key["n"].bit_length() - 1
    h = quotient(a, b, key, r)
    in_order = [h[int(format(i, f"0{bits}b")[::-1], 2)] for i in range(key["n"])]
    assert in_order[-1] == 0
    with_a = [w for w, absent in zip(wires, key["no_A"]) if not absent]
    with_b = [w for w, absent in zip(wires, key["no_B"]) if not absent]
    info = facts["commitment_info"] or []
    taken = {w for one in info for w in one["PrivateCommitted"] + [one["CommitmentIndex"]]}
    with_k = [w for i, w in enumerate(wires) if i >= facts["nb_public"] and i not in taken]
    point_a = curve.sum(key["alpha"], curve.product(with_a, key["A"]), curve.multiple(blind_r, key["delta"]))
    point_b1 = curve.sum(key["beta"], curve.product(with_b, key["B"]), curve.multiple(blind_s, key["delta"]))
    point_b = curve.sum(key["beta2"], curve.product(with_b, key["B2"]), curve.multiple(blind_s, key["delta2"]))
    point_c = curve.sum(curve.product(with_k, key["K"]), curve.product(in_order[:-1], key["Z"]),
                        curve.multiple(blind_s, point_a), curve.multiple(blind_r, point_b1),
                        curve.multiple(-blind_r * blind_s, key["delta"]))
    commitments, challenges, knowledge, factor = [], [], None, 1
    for one, (basis, _) in zip(info, key["bases"]):
        commitments.append(curve.product([wires[w] for w in one["PrivateCommitted"]], basis))
        public = b"".join(wires[w].to_bytes(32, "big") for w in one["PublicAndCommitmentCommitted"] or [])
        challenges.append(hash_to_field(curve.raw(commitments[-1], 1) + public, b"bsb22-commitment", r))
        assert challenges[-1] == wires[one["CommitmentIndex"]]
    fold = hash_to_field(b"".join(c.to_bytes(32, "big") for c in challenges), b"G16-BSB22", r)
    for one, (_, sigma) in zip(info, key["bases"]):
        term = curve.product([wires[w] for w in one["PrivateCommitted"]], sigma)
        knowledge = curve.add(knowledge, curve.multiple(factor, term))
        factor = factor * fold % r
    return [(point_a, 1), (point_b, 2), (point_c, 1)], [(d, 1) for d in commitments], (knowledge, 1)


def check(data, made, n, name):
    folder, curve = f"{data}/gnark/{name}", Curve(*(BN254 if name.startswith("bn") else BLS12_381))
    read = lambda path: open(path, "rb").read()
    key, facts = read_key(read(f"{folder}/pk.raw"), curve), json.loads(read(f"{folder}/facts.json"))
    solution = Reader(read(f"{folder}/solution.bin"), curve)
    wires, a, b, _ = [solution.values() for _ in range(4)]
    blinding = read(f"{made}/{n}.blinding")
    blind_r, blind_s = [int.from_bytes(blinding[i:i + 32], "little") for i in (0, 32)]
    head, commitments, knowledge = prove(curve, key, wires, a, b, facts, blind_r, blind_s)
    good = True
    for ending, encode in (("raw", curve.raw), ("bin", curve.compressed)):
        want = b"".join(encode(*point) for point in head) + len(commitments).to_bytes(4, "big")
        want += b"".join(encode(*point) for point in commitments + [knowledge])
        if read(f"{made}/{n}.{ending}") != want:
            print(f"OBJECTION: {name}: the {ending} proof is another one")
            good = False
    return good


def main(program, data):
    with tempfile.TemporaryDirectory() as made:
        subprocess.run([program, made], check=True)
        good = [check(data, made, n, name) for n, name in enumerate(FIXTURES)]
        assert len(os.listdir(made)) == 3 * len(FIXTURES)
    print(f"{2 * len(good)} proofs recomputed")
    sys.exit(not all(good))


if __name__ == "__main__":
    main(*sys.argv[1:])
