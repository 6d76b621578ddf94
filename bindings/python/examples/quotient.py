# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The quotient of a small PLONK circuit, computed by a graph and checked in plain Python.

Each row i of the circuit has a gate: qm a b + ql a + qr b + qo c + qc = 0. The columns are the values of polynomials on
the n-th roots of unity, and the gates hold exactly if X^n - 1 divides
    N(X) = qm(X) a(X) b(X) + ql(X) a(X) + qr(X) b(X) + qo(X) c(X) + qc(X).
The prover's work is the quotient t = N / (X^n - 1); who checks it compares both sides at a random point.
"""
import secrets
from typing import Mapping, Sequence

import reprise as rp

K, N = 3, 8
P = rp.bn254_fr.modulus
WIRES, SELECTORS = ('a', 'b', 'c'), ('qm', 'ql', 'qr', 'qo', 'qc')
Columns = Mapping[str, Sequence[int]]


def circuit(x: int, y: int) -> Columns:
    """The wires and selectors of x^2 + y^2 = z with 3 z + 5 in the end: rows of (a, b, c) and (qm, ql, qr, qo, qc)."""
    multiply, add = (1, 0, 0, -1, 0), (0, 1, 1, -1, 0)
    z = x * x + y * y
    rows = [((x, x, x * x), multiply), ((y, y, y * y), multiply), ((x * x, y * y, z), add),
            ((z, 0, 3 * z + 5), (0, 3, 0, -1, 5))]
    rows += [((0, 0, 0), (0, 0, 0, 0, 0))] * (N - len(rows))
    columns = list(zip(*[[value % P for value in wires + gate] for wires, gate in rows]))
    return dict(zip(WIRES + SELECTORS, columns))


def quotient_graph(columns: Columns) -> rp.Graph:
    """Wires are inputs, selectors belong to the circuit and are constants. The numerator has a degree below 3 n."""
    g = rp.Graph('quotient')
    domain = rp.operations.extended_domain('snarkjs', K, K + 2, shift=5)
    extended = []
    for name in WIRES + SELECTORS:
        with g.scope(name):
            if name in WIRES:
                values = rp.from_canonical(g.input(name, rp.u256, N, secret=True), rp.bn254_fr)
            else:
                values = g.constant(name, rp.bn254_fr, columns[name])
            coefficients = rp.ntt(values, root='snarkjs', inverse=True)
            extended.append(rp.coeff_to_extended(coefficients, domain))
    a, b, c, qm, ql, qr, qo, qc = (('column', i) for i in range(8))
    mul, add = ('mul',), ('add',)
    code = [qm, a, mul, b, mul, ql, a, mul, add, qr, b, mul, add, qo, c, mul, add, qc, add]
    numerator = rp.expr(extended, g.constant('none', rp.bn254_fr, [0]), code)
    t = rp.extended_to_coeff(numerator * rp.vanishing_inverse(g, rp.bn254_fr, domain), domain)
    rp.to_canonical(t).output('t')
    return g


def at(column: Sequence[int], z: int) -> int:
    """The polynomial with these values on the roots of unity, at z: the barycentric formula."""
    omega = rp.bn254_fr.root(K, 'snarkjs')
    total = sum(value * w * pow(z - w, -1, P) for value, w in zip(column, (pow(omega, i, P) for i in range(N))))
    return total * (pow(z, N, P) - 1) * pow(N, -1, P) % P


def holds(columns: Columns, t: Sequence[int], z: int) -> bool:
    a, b, c, qm, ql, qr, qo, qc = (at(columns[name], z) for name in WIRES + SELECTORS)
    numerator = (qm * a * b + ql * a + qr * b + qo * c + qc) % P
    return numerator == sum(v * pow(z, i, P) for i, v in enumerate(t)) * (pow(z, N, P) - 1) % P


def main() -> None:
    columns = circuit(3, 4)
    with quotient_graph(columns) as g, g.record() as recording:
        for x, y in ((3, 4), (P - 1, 2**200)):  # recorded once, replayed for each witness
            columns = circuit(x, y)
            t = rp.u256.ints(recording({name: columns[name] for name in WIRES})['t'])
            print('the identity holds:', holds(columns, t, secrets.randbelow(P)))
        wrong = dict(columns, c=[(columns['c'][0] + 1) % P, *columns['c'][1:]])
        t = rp.u256.ints(recording({name: wrong[name] for name in WIRES})['t'])
        print('with a wrong witness:', holds(wrong, t, secrets.randbelow(P)))


if __name__ == '__main__':
    main()
