// SPDX-License-Identifier: Apache-2.0 OR MIT
// Where phases and nodes lie. Each phase lays out its own children in layers. Their layers and their order follow from
// the edges alone, so that opening or closing a phase moves others but never changes their arrangement.

const GAP_X = 18,
  GAP_Y = 30,
  PAD = 14,
  HEAD = 28,
  ROW_MAX = 1700,
  BEND = 2,
  MOST_BENDS = 8; // for each child of a phase; beyond that, lines pass behind what stands in their way
export const NODE = { w: 204, h: 42 },
  PORT = { w: 150, h: 38 },
  CLOSED = { w: 226, h: 62 };

const shown = (item, options) => item.port !== 'constant' || options.constants;

// For every phase, the edges among its children that edges among nodes below them amount to.
function edgesByPhase(graph, options) {
  const result = new Map();
  for (const e of graph.edges) {
    if (e.kind === 'memory' || !shown(e.from, options) || !shown(e.to, options)) continue;
    let a = e.from,
      b = e.to;
    while (a.depth > b.depth) a = a.parent;
    while (b.depth > a.depth) b = b.parent;
    while (a.parent !== b.parent) ((a = a.parent), (b = b.parent));
    if (a === b) continue;
    if (!result.has(a.parent)) result.set(a.parent, new Map());
    const from = result.get(a.parent);
    if (!from.has(a)) from.set(a, new Set());
    from.get(a).add(b);
  }
  return result;
}

// The strongly connected components of children, as numbers: what is in one component needs each other, as two phases
// do of which each uses something of the other. (Tarjan, 1972.)
function components(children, edges) {
  const number = new Map(),
    low = new Map(),
    of = new Map(),
    open = [];
  let found = 0;
  for (const start of children) {
    if (number.has(start)) continue;
    const stack = [];
    const enter = (c) => {
      (number.set(c, number.size), low.set(c, number.get(c)), open.push(c));
      stack.push({ c, next: [...(edges.get(c) || [])], i: 0 });
    };
    enter(start);
    while (stack.length) {
      const top = stack[stack.length - 1],
        { c } = top;
      if (top.i < top.next.length) {
        const next = top.next[top.i++];
        if (!number.has(next)) enter(next);
        else if (!of.has(next)) low.set(c, Math.min(low.get(c), number.get(next)));
        continue;
      }
      stack.pop();
      if (stack.length) {
        const { c: below } = stack[stack.length - 1];
        low.set(below, Math.min(low.get(below), low.get(c)));
      }
      if (low.get(c) !== number.get(c)) continue;
      let last;
      do ((last = open.pop()), of.set(last, found));
      while (last !== c);
      found++;
    }
  }
  return of;
}

// Edges that would close a cycle are turned round: of phases that need each other, those against the order in which
// they were built. All then have an order in which each comes after what is above it.
function acyclic(children, edges) {
  const of = components(children, edges),
    built = new Map(children.map((c, i) => [c, i])),
    succs = new Map(children.map((c) => [c, []])),
    preds = new Map(children.map((c) => [c, []]));
  for (const c of children)
    for (const next of edges.get(c) || []) {
      const back = of.get(c) === of.get(next) && built.get(c) > built.get(next),
        [above, below] = back ? [next, c] : [c, next];
      if (back && edges.get(next)?.has(c)) continue; // which is there in this direction too
      (succs.get(above).push(below), preds.get(below).push(above));
    }
  const waits = new Map(children.map((c) => [c, preds.get(c).length])),
    order = children.filter((c) => !waits.get(c));
  for (let i = 0; i < order.length; i++)
    for (const next of succs.get(order[i])) {
      waits.set(next, waits.get(next) - 1);
      if (!waits.get(next)) order.push(next);
    }
  return { succs, preds, order };
}

function ranksOf({ succs, preds, order }) {
  const rank = new Map();
  let last = 0;
  for (const c of order) {
    rank.set(
      c,
      preds.get(c).reduce((r, p) => Math.max(r, rank.get(p) + 1), 0),
    );
    last = Math.max(last, rank.get(c));
  }
  for (const c of [...order].reverse()) {
    // what begins somewhere stands right before its first user, and results stand below all else
    if (!preds.get(c).length && succs.get(c).length) rank.set(c, Math.min(...succs.get(c).map((s) => rank.get(s))) - 1);
    if (c.port === 'output' && !succs.get(c).length) rank.set(c, last);
  }
  return rank;
}

// Lines that pass layers go through bends, which have a place in each of those layers, so that they pass beside what
// stands there. The lines of one child share its bends.
function bend(children, { succs, preds }, rank) {
  const bends = new Map();
  let most = MOST_BENDS * children.length;
  for (const c of children) {
    const far = succs.get(c).filter((s) => rank.get(s) > rank.get(c) + 1);
    const until = far.reduce((r, s) => Math.max(r, rank.get(s)), 0);
    most -= Math.max(0, until - rank.get(c) - 1);
    if (!far.length || most < 0) continue;
    const chain = [];
    for (let r = rank.get(c) + 1; r < until; r++) {
      const b = { bend: true, w: BEND, h: 0 };
      (chain.push(b), rank.set(b, r), succs.set(b, []), preds.set(b, []));
    }
    const link = (a, b) => (succs.get(a).push(b), preds.get(b).push(a));
    const near = succs.get(c).filter((s) => rank.get(s) <= rank.get(c) + 1);
    succs.set(c, near);
    link(c, chain[0]);
    for (let i = 1; i < chain.length; i++) link(chain[i - 1], chain[i]);
    for (const s of far) {
      preds.set(
        s,
        preds.get(s).filter((p) => p !== c),
      );
      link(chain[rank.get(s) - rank.get(c) - 2], s);
    }
    bends.set(c, chain);
  }
  return bends;
}

function layersOf(children, edges) {
  const found = acyclic(children, edges),
    { succs, preds } = found,
    rank = ranksOf(found),
    bends = bend(children, found, rank);
  const layers = [];
  for (const c of [...children, ...[...bends.values()].flat()]) (layers[rank.get(c)] ||= []).push(c);
  const full = layers.filter(Boolean);
  const at = new Map();
  const number = (layer) => layer.forEach((c, i) => at.set(c, (i + 0.5) / layer.length));
  full.forEach(number);
  const sort = (layer, side) => {
    const key = new Map(
      layer.map((c) => {
        const near = side.get(c);
        return [c, near.length ? near.reduce((sum, n) => sum + at.get(n), 0) / near.length : at.get(c)];
      }),
    );
    layer.sort((a, b) => key.get(a) - key.get(b));
    number(layer);
  };
  for (let sweep = 0; sweep < 4; sweep++) {
    for (let i = 1; i < full.length; i++) sort(full[i], preds);
    for (let i = full.length - 2; i >= 0; i--) sort(full[i], succs);
  }
  return { layers: full, succs, preds, bends, rank };
}

export function arrange(graph, options) {
  const edges = edgesByPhase(graph, options);
  for (const p of graph.scopes) {
    const children = p.children.filter((c) => shown(c, options));
    p.plan = layersOf(children, edges.get(p) || new Map());
  }
}

const gap = (a, b) => (a.bend || b.bend ? 8 : GAP_X);

// The least squares fit of centres to what they want, with room between neighbours (pool adjacent violators).
function settle(row, want) {
  let at = 0;
  const offsets = row.map((c, i) => {
    if (i) at += (row[i - 1].w + c.w) / 2 + gap(row[i - 1], c);
    return at;
  });
  const pools = [];
  row.forEach((c, i) => {
    let pool = { sum: want[i] - offsets[i], n: 1 };
    while (pools.length && pools[pools.length - 1].sum / pools[pools.length - 1].n >= pool.sum / pool.n) {
      const before = pools.pop();
      pool = { sum: before.sum + pool.sum, n: before.n + pool.n };
    }
    pools.push(pool);
  });
  let i = 0;
  for (const pool of pools) for (let k = 0; k < pool.n; k++, i++) row[i].cx = pool.sum / pool.n + offsets[i];
}

function rowsOf(layers) {
  const rows = [];
  for (const layer of layers) {
    let row = [],
      width = 0;
    for (const c of layer) {
      if (row.length && width + c.w > ROW_MAX) (rows.push(row), (row = []), (width = 0));
      row.push(c);
      width += c.w + (c.bend ? 8 : GAP_X);
    }
    rows.push(row);
  }
  return rows;
}

function place(p) {
  const { layers, succs, preds } = p.plan;
  for (const layer of layers)
    for (const c of layer) {
      if (c.bend) continue;
      if (c.isPhase && c.open) place(c);
      else Object.assign(c, c.isPhase ? CLOSED : c.port ? PORT : NODE);
    }
  const rows = rowsOf(layers);
  for (const row of rows)
    settle(
      row,
      row.map(() => 0),
    );
  const sweep = (row, side) =>
    settle(
      row,
      row.map((c) => {
        const near = side.get(c);
        return near.length ? near.reduce((sum, n) => sum + n.cx, 0) / near.length : c.cx;
      }),
    );
  for (let k = 0; k < 3; k++) {
    for (const row of rows) sweep(row, preds);
    for (let i = rows.length - 1; i >= 0; i--) sweep(rows[i], succs);
  }
  let left = Infinity,
    right = -Infinity,
    y = HEAD + (p.title.includes(': ') ? 12 : 0) + PAD / 2;
  for (const row of rows)
    for (const c of row) ((left = Math.min(left, c.cx - c.w / 2)), (right = Math.max(right, c.cx + c.w / 2)));
  for (const row of rows) {
    const h = Math.max(...row.map((c) => c.h));
    for (const c of row)
      ((c.rx = c.cx - c.w / 2 - left + PAD), (c.ry = c.bend ? y : y + (h - c.h) / 2), c.bend && (c.along = h));
    y += h + GAP_Y;
  }
  p.w = Math.max((rows.length ? right - left : 0) + 2 * PAD, CLOSED.w);
  p.h = y - GAP_Y + PAD;
}

function absolute(p, x, y, out) {
  ((p.x = x), (p.y = y));
  if (!p.isPhase || !p.open) return;
  for (const layer of p.plan.layers)
    for (const c of layer) {
      absolute(c, x + c.rx, y + c.ry, out);
      if (!c.bend) out.push(c);
    }
}

// The item that stands for a node: itself, or the outermost closed phase that it is in.
export function standIn(item) {
  let seen = item;
  for (let p = item.parent; p; p = p.parent) if (!p.open) seen = p;
  return seen;
}

// The size alone.
export function extent(graph) {
  place(graph.root);
  return graph.root;
}

// Where a line passes layers: its bends in the phase that both ends are in, as x and where it enters and leaves; and
// whether it goes up, to what was built earlier.
function bendsOf(from, to) {
  let a = from,
    b = to;
  while (a.depth > b.depth) a = a.parent;
  while (b.depth > a.depth) b = b.parent;
  while (a.parent !== b.parent) ((a = a.parent), (b = b.parent));
  const { bends, rank } = a.parent.plan,
    up = rank.get(a) > rank.get(b);
  if (up) [a, b] = [b, a];
  const chain = bends.get(a),
    n = rank.get(b) - rank.get(a) - 1;
  if (!chain || !(n > 0) || n > chain.length) return { up, via: [] };
  const via = chain.slice(0, n).map((c) => [c.x + c.w / 2, c.y, c.y + c.along]);
  return { up, via: up ? via.reverse().map(([x, top, bottom]) => [x, bottom, top]) : via };
}

// The box around a line.
function bound(e) {
  ((e.left = Math.min(e.x1, e.x2)), (e.right = Math.max(e.x1, e.x2)));
  ((e.top = Math.min(e.y1, e.y2)), (e.bottom = Math.max(e.y1, e.y2)));
  for (const [x] of e.via) ((e.left = Math.min(e.left, x)), (e.right = Math.max(e.right, x)));
}

// Lines begin and end side by side along the lower and the upper border of boxes, in the order of where they come from.
function connect(edges) {
  const below = new Map(),
    above = new Map();
  const add = (map, item, end) => (map.get(item) || map.set(item, []).get(item)).push(end);
  for (const e of edges) {
    Object.assign(e, bendsOf(e.from, e.to));
    const middle = (i) => i.x + i.w / 2,
      to = e.via.length ? e.via[0][0] : middle(e.to),
      from = e.via.length ? e.via[e.via.length - 1][0] : middle(e.from);
    add(e.up ? above : below, e.from, { key: to, set: (x, y) => ((e.x1 = x), (e.y1 = y)) });
    add(e.up ? below : above, e.to, { key: from, set: (x, y) => ((e.x2 = x), (e.y2 = y)) });
  }
  for (const [map, low] of [
    [below, true],
    [above, false],
  ])
    for (const [item, ends] of map)
      ends
        .sort((a, b) => a.key - b.key)
        .forEach(({ set }, i) =>
          set(item.x + item.w * (0.5 + 0.7 * ((i + 1) / (ends.length + 1) - 0.5)), low ? item.y + item.h : item.y),
        );
}

// Positions of all visible items, in drawing order, and the edges among them, each with how many it stands for.
export function layout(graph, options) {
  const items = [];
  place(graph.root);
  absolute(graph.root, 0, 0, items);
  items.sort((a, b) => a.depth - b.depth);
  const merged = new Map();
  for (const e of graph.edges) {
    if (!shown(e.from, options) || !shown(e.to, options) || (e.kind === 'memory' && !options.memory)) continue;
    const from = standIn(e.from),
      to = standIn(e.to);
    if (from === to) continue;
    const key = `${from.id}>${to.id}>${e.kind}`;
    if (merged.has(key)) merged.get(key).parts.push(e);
    else merged.set(key, { from, to, kind: e.kind, parts: [e] });
  }
  const edges = [...merged.values()];
  connect(edges);
  edges.forEach(bound);
  return { items, edges, w: graph.root.w, h: graph.root.h };
}
