// SPDX-License-Identifier: Apache-2.0 OR MIT
// The critical path of steps, each after all that it waits for, as engine/critical.c finds it: a chain that leaves out
// a step lies wholly before it, wholly behind it, or has one edge that passes over its number.

// A segment tree over steps: chains that pass over all of a range.
class Over {
  constructor(n) {
    Object.assign(this, { n, most: new Float64Array(2 * n) });
  }
  enter(first, end, length) {
    for (let l = first + this.n, r = end + this.n; l < r; l >>= 1, r >>= 1) {
      if (l & 1) ((this.most[l] = Math.max(this.most[l], length)), l++);
      if (r & 1) (r--, (this.most[r] = Math.max(this.most[r], length)));
    }
  }
  at(i) {
    let most = 0;
    for (let k = i + this.n; k > 0; k >>= 1) most = Math.max(most, this.most[k]);
    return most;
  }
}

export function criticalPath(preds, ns) {
  const n = ns.length,
    ends = new Float64Array(n),
    tails = new Float64Array(n),
    before = new Int32Array(n).fill(-1),
    over = new Over(n);
  for (let i = 0; i < n; i++) {
    for (const p of preds[i]) if (before[i] < 0 || ends[p] > ends[before[i]]) before[i] = p;
    ends[i] = (before[i] < 0 ? 0 : ends[before[i]]) + ns[i];
  }
  for (let i = n - 1; i >= 0; i--) {
    tails[i] += ns[i];
    for (const p of preds[i]) tails[p] = Math.max(tails[p], tails[i]);
  }
  for (let i = 0; i < n; i++) for (const p of preds[i]) over.enter(p + 1, i, ends[p] + tails[i]);
  let last = -1;
  for (let i = 0; i < n; i++) if (last < 0 || ends[i] > ends[last]) last = i;
  const total = last < 0 ? 0 : ends[last],
    path = [];
  for (let i = last; i >= 0; i = before[i]) path.unshift(i);
  const first = new Float64Array(n + 1),
    rest = new Float64Array(n + 1);
  for (let i = 0; i < n; i++) first[i + 1] = Math.max(first[i], ends[i]);
  for (let i = n - 1; i >= 0; i--) rest[i] = Math.max(rest[i + 1], tails[i]);
  const slack = [],
    gain = [];
  for (let i = 0; i < n; i++) {
    const through = ends[i] + tails[i] - ns[i],
      without = Math.max(through - ns[i], over.at(i), first[i], rest[i + 1]);
    (slack.push(total - through), gain.push(Math.max(0, total - without)));
  }
  return { path_ns: total, path, slack_ns: slack, gain_ns: gain };
}
