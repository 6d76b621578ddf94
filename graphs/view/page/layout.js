// SPDX-License-Identifier: Apache-2.0 OR MIT
// Where phases and nodes lie. Each phase lays out its own children in layers. Their layers and their order follow from
// the edges alone, so that opening or closing a phase moves others but never changes their arrangement.

const GAP_X = 18,
  GAP_Y = 30,
  PAD = 14,
  HEAD = 28,
  ROW_MAX = 1700;
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

// Edges that would close a cycle are left out: two phases can each use something of the other.
function acyclic(children, edges) {
  const state = new Map(),
    succs = new Map(children.map((c) => [c, []])),
    preds = new Map(children.map((c) => [c, []]));
  const order = [];
  for (const start of children) {
    if (state.get(start)) continue;
    const stack = [[start, [...(edges.get(start) || [])], 0]];
    state.set(start, 1);
    while (stack.length) {
      const top = stack[stack.length - 1];
      if (top[2] === top[1].length) {
        state.set(top[0], 2);
        order.push(top[0]);
        stack.pop();
        continue;
      }
      const next = top[1][top[2]++];
      if (state.get(next) === 1) continue;
      succs.get(top[0]).push(next);
      preds.get(next).push(top[0]);
      if (state.get(next)) continue;
      state.set(next, 1);
      stack.push([next, [...(edges.get(next) || [])], 0]);
    }
  }
  return { succs, preds, order: order.reverse() };
}

function layersOf(children, edges) {
  const { succs, preds, order } = acyclic(children, edges);
  const rank = new Map();
  for (const c of order)
    rank.set(
      c,
      preds.get(c).reduce((r, p) => Math.max(r, rank.get(p) + 1), 0),
    );
  for (const c of [...order].reverse()) {
    // what begins somewhere stands right before its first user
    if (!preds.get(c).length && succs.get(c).length) rank.set(c, Math.min(...succs.get(c).map((s) => rank.get(s))) - 1);
  }
  const layers = [];
  for (const c of children) (layers[rank.get(c)] ||= []).push(c);
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
  return { layers: full, succs, preds };
}

export function arrange(graph, options) {
  const edges = edgesByPhase(graph, options);
  for (const p of graph.scopes) {
    const children = p.children.filter((c) => shown(c, options));
    p.plan = layersOf(children, edges.get(p) || new Map());
  }
}

// The least squares fit of centres to what they want, with room between neighbours (pool adjacent violators).
function settle(row, want) {
  let at = 0;
  const offsets = row.map((c, i) => {
    if (i) at += (row[i - 1].w + c.w) / 2 + GAP_X;
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
      width += c.w + GAP_X;
    }
    rows.push(row);
  }
  return rows;
}

function place(p) {
  const { layers, succs, preds } = p.plan;
  for (const layer of layers)
    for (const c of layer) {
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
    for (const c of row) ((c.rx = c.cx - c.w / 2 - left + PAD), (c.ry = y + (h - c.h) / 2));
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
      out.push(c);
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
  const outs = new Map(),
    ins = new Map();
  for (const e of edges) {
    if (!outs.has(e.from)) outs.set(e.from, []);
    if (!ins.has(e.to)) ins.set(e.to, []);
    (outs.get(e.from).push(e), ins.get(e.to).push(e));
  }
  const middle = (i) => i.x + i.w / 2;
  for (const [item, of] of outs)
    of.sort((a, b) => middle(a.to) - middle(b.to)).forEach((e, i) => {
      ((e.x1 = item.x + item.w * (0.5 + 0.7 * ((i + 1) / (of.length + 1) - 0.5))), (e.y1 = item.y + item.h));
    });
  for (const [item, of] of ins)
    of.sort((a, b) => middle(a.from) - middle(b.from)).forEach((e, i) => {
      ((e.x2 = item.x + item.w * (0.5 + 0.7 * ((i + 1) / (of.length + 1) - 0.5))), (e.y2 = item.y));
    });
  return { items, edges, w: graph.root.w, h: graph.root.h };
}
