// SPDX-License-Identifier: Apache-2.0 OR MIT
// A document as two graphs, one of operations and one of dispatches, each a tree of phases with nodes and edges.
import { joinPieces } from './pieces.js';
import { bytes, count, last, meaning, plain } from './words.js';

export class DocumentError extends Error {}

const list = (x) => (Array.isArray(x) ? x : []);

// An item of the tree: a phase (with children) or a node (with what it stands for).
class Item {
  constructor(id, parent, title, path) {
    Object.assign(this, { id, parent, title, path, children: null, ins: [], outs: [], open: false, bytes: 0 });
    this.depth = parent ? parent.depth + 1 : 0;
  }
  // The outermost phase around it, as in the tables of reprise profile.
  get phase() {
    let p = this.parent || this;
    while (p.parent && p.parent.parent) p = p.parent;
    return p;
  }
  get isPhase() {
    return this.children !== null;
  }
}

function phases(document) {
  const all = list(document.graph.scopes).map(() => null);
  list(document.graph.scopes).forEach((s, i) => {
    const parent = i ? all[s.parent] || all[0] : null;
    const path = parent && parent.parent ? `${parent.path}/${s.name}` : s.name;
    all[i] = new Item(`p${s.id}`, parent, s.title || plain(s.name) || document.graph.name, path);
    all[i].children = [];
    all[i].named = Boolean(s.title);
    if (parent) parent.children.push(all[i]);
  });
  return all.length ? all : [Object.assign(new Item('p0', null, document.graph.name, ''), { children: [] })];
}

class Graph {
  constructor(document, level) {
    this.level = level;
    this.scopes = phases(document);
    this.root = this.scopes[0];
    this.root.open = true;
    this.nodes = [];
    this.edges = [];
    this.byId = new Map(this.scopes.map((s) => [s.id, s]));
  }
  add(id, scope, title, path, more) {
    const item = Object.assign(new Item(id, scope, title, path), more);
    scope.children.push(item);
    this.nodes.push(item);
    this.byId.set(id, item);
    return item;
  }
  connect(from, to, kind, value, note) {
    const edge = { from, to, kind, value, note };
    from.outs.push(edge);
    to.ins.push(edge);
    this.edges.push(edge);
  }
  finish() {
    // phases without nodes go, and so does one that is all there is in another
    const prune = (p) => {
      p.children = p.children.filter((c) => !c.isPhase || (prune(c), c.children.length));
      if (p.parent && p.children.length === 1 && p.children[0].isPhase) {
        const [only] = p.children;
        if (!p.named && only.named) ((p.title = only.title), (p.named = true));
        p.children = only.children;
      }
    };
    const settle = (p) => {
      for (const c of p.children) ((c.parent = p), (c.depth = p.depth + 1), c.isPhase && settle(c));
    };
    (prune(this.root), settle(this.root));
    return this;
  }
}

const constantParts = (graph, v, at, consumer) => {
  const title = v.name || `value ${v.id}`;
  return graph.add(at, consumer, title, `${v.storage || 'constant'} ${title}`, {
    port: v.storage || 'constant',
    values: [v],
    bytes: v.bytes,
  });
};

function operations(document) {
  const graph = new Graph(document, 'ops');
  const values = new Map(list(document.graph.values).map((v) => [v.id, v]));
  const makers = new Map();
  for (const n of list(document.graph.nodes)) {
    const scope = graph.scopes[n.scope_id] || graph.root;
    const outs = list(n.out)
      .map((id) => values.get(id))
      .filter(Boolean);
    const title = plain(n.op);
    const sub = n.params || (outs[0] ? `${count(outs[0].len)} × ${outs[0].type}` : '');
    const item = graph.add(`n${n.id}`, scope, title, n.name, {
      node: n,
      sub,
      outValues: outs,
      inValues: [],
      steps: [],
      bytes: outs.reduce((sum, v) => sum + v.bytes, 0),
    });
    list(n.out).forEach((id) => makers.set(id, item));
    item.wanted = list(n.in);
  }
  for (const item of [...graph.nodes]) {
    for (const id of item.wanted) {
      const v = values.get(id);
      if (!v) continue;
      item.inValues.push(v);
      let from = makers.get(id);
      if (!from) {
        from = constantParts(graph, v, `v${id}`, v.storage === 'input' ? graph.root : item.parent);
        makers.set(id, from);
      }
      graph.connect(from, item, from.port === 'constant' ? 'constant' : 'data', v);
    }
  }
  for (const v of values.values()) {
    if (!v.output || !makers.has(v.id)) continue;
    const out = graph.add(`o${v.id}`, graph.root, v.output, `output ${v.output}`, {
      port: 'output',
      values: [v],
      bytes: v.bytes,
    });
    graph.connect(makers.get(v.id), out, 'data', v);
  }
  return graph.finish();
}

// Data edges come from what dispatches read and write, since the plan drops those that follow from others.
function dataEdges(graph, steps) {
  const writers = new Map();
  steps.forEach((s, i) => {
    const seen = new Set();
    for (const t of list(s.touches)) {
      if (!t.access.includes('r')) continue;
      for (const w of writers.get(t.value) || []) {
        if (w.step === i || seen.has(w.step) || w.first >= t.first + t.count || t.first >= w.first + w.count) continue;
        seen.add(w.step);
        graph.connect(graph.steps[w.step], graph.steps[i], 'data', graph.values.get(t.value));
      }
    }
    for (const t of list(s.touches)) {
      if (!t.access.includes('w')) continue;
      const v = graph.values.get(t.value);
      const whole = v && t.first === 0 && t.count === v.len && !t.access.includes('r');
      const before = whole
        ? []
        : (writers.get(t.value) || []).filter(
            (w) => w.first < t.first || w.first + w.count > t.first + t.count || t.access.includes('r'),
          );
      before.push({ step: i, first: t.first, count: t.count });
      writers.set(t.value, before.length > 64 ? before.slice(-64) : before);
    }
  });
}

function dispatches(document) {
  const graph = new Graph(document, 'steps');
  const recording = document.recording;
  graph.values = new Map(list(recording.values).map((v) => [v.id, v]));
  const nodes = list(document.graph.nodes);
  const steps = list(recording.steps).filter((s) => s.part === 'run');
  graph.steps = steps.map((s, i) => {
    const node = nodes[s.node_id];
    const scope = (node && graph.scopes[node.scope_id]) || graph.root;
    // What brings an input of a piece to its place is no kernel of a node.
    const comes = s.node ? '' : (s.label || '').replace(/^bind in /, ''),
      kernel = s.kernel || (comes ? 'copy in' : last(s.label || ''));
    return graph.add(`s${i}`, scope, plain(kernel.split('.')[0]), s.label, {
      step: s,
      index: i,
      node,
      sub: comes ? last(comes) : meaning(kernel) || (node ? plain(node.op) : ''),
      bytes: (s.read_bytes || 0) + (s.written_bytes || 0),
    });
  });
  graph.finish();
  graph.complete = () => {
    ((graph.complete = null), stepEdges(graph, document, steps), graph.finish());
  };
  return graph;
}

// Edges and borders, which are made when the dispatches are looked at: figures need none of them.
function stepEdges(graph, document, steps) {
  dataEdges(graph, steps);
  const pairs = new Set(graph.edges.map((e) => `${e.from.index},${e.to.index}`));
  steps.forEach((s, i) =>
    list(s.waits).forEach((w) => {
      const why = list(w.why)[0];
      if (!graph.steps[w.for] || pairs.has(`${w.for},${i}`)) return;
      const value = why && graph.values.get(why.value),
        other = why && graph.values.get(why.other);
      const note =
        why && why.kind === 'memory'
          ? `${value ? value.name : 'a value'} takes the bytes of ${other ? other.name : 'another'}`
          : value
            ? `both use ${value.name}`
            : '';
      graph.connect(graph.steps[w.for], graph.steps[i], why && why.kind === 'data' ? 'data' : 'memory', value, note);
    }),
  );
  const borders = new Map(),
    outputs = new Map(
      list(document.graph.values)
        .filter((v) => v.output)
        .map((v) => [v.id, v.output]),
    );
  graph.steps.forEach((item) =>
    list(item.step.touches).forEach((t) => {
      const v = graph.values.get(t.value);
      const built = v && outputs.get(v.id);
      const port = v && { input: 'input', output: 'output', constant: 'constant', borrowed: 'constant' }[v.space];
      if (!port) return;
      const key = `v${v.id}`;
      if (!borders.has(key))
        borders.set(
          key,
          constantParts(
            graph,
            { ...v, name: built || v.name, storage: port },
            key,
            port === 'constant' ? item.parent : graph.root,
          ),
        );
      const other = borders.get(key),
        writes = t.access.includes('w');
      if (other.outs.some((e) => e.to === item) || other.ins.some((e) => e.from === item)) return;
      if (writes && port !== 'constant') graph.connect(item, other, 'data', v);
      else if (!writes && port !== 'output') graph.connect(other, item, port === 'constant' ? 'constant' : 'data', v);
    }),
  );
}

export class Model {
  constructor(document) {
    if (!document || document.kind !== 'reprise-view') throw new DocumentError('this is no document of reprise view');
    if (document.version !== 1)
      throw new DocumentError(`this page shows documents of version 1, and this is one of version ${document.version}`);
    if (!document.graph) throw new DocumentError('the document has no graph');
    document = joinPieces(document);
    this.document = document;
    this.name = document.graph.name || 'graph';
    this.recording = document.recording || null;
    this.device = this.recording ? this.recording.device : null;
    // A group's devices, which steps name by index; else the one that there is.
    const devices = this.recording ? list(this.recording.devices || document.devices) : [];
    this.devices = devices.length ? devices : this.device ? [this.device] : [];
    this.ops = operations(document);
    this.steps = this.recording ? dispatches(document) : null;
    this.runs = list(document.runs);
    this.ceilings = document.ceilings || null;
    this.points = list(document.points);
    if (this.steps)
      for (const s of this.steps.steps) {
        const op = this.ops.byId.get(`n${s.step.node_id}`);
        if (op) (op.steps.push(s), (s.op = op));
      }
  }
  get label() {
    return this.document.label || (this.device ? `${this.devices[0].kind}: ${this.deviceNames.join(', ')}` : this.name);
  }
  // The index of a step's device; a step without one, or with one that is not there, is of the first.
  deviceIndex(step) {
    const i = step.step.device;
    return Number.isInteger(i) && i >= 0 && i < this.devices.length ? i : 0;
  }
  deviceOf(step) {
    return this.devices[this.deviceIndex(step)];
  }
  // "worker 3", and with several devices also of which of them.
  place(device, lane) {
    const kind = this.devices[device] && this.devices[device].kind === 'cpu' ? 'worker' : 'queue';
    return `${this.devices.length > 1 ? `device ${device}, ` : ''}${kind} ${lane}`;
  }
  // Under which conditions an item runs, in words, the outermost first; '' if there are none.
  conditions(item) {
    const all = list((item.step || item.node || {}).if);
    return all
      .map((c) => `${this.valueName(c.value)} is ${c.is}`)
      .reverse()
      .join(', and ');
  }
  valueName(id) {
    const v = list(this.document.graph.values).find((x) => x.id === id),
      maker = list(this.document.graph.nodes).find((n) => list(n.out).includes(id));
    return (v && (v.name || v.output)) || (maker && maker.name) || `value ${id}`;
  }
  get deviceNames() {
    const names = this.devices.map((d) => d.name);
    return [...new Set(names)].map((n) => {
      const many = names.filter((x) => x === n).length;
      return many > 1 ? `${many} × ${n}` : n;
    });
  }
  graph(level) {
    const graph = level === 'steps' && this.steps ? this.steps : this.ops;
    if (graph.complete) graph.complete();
    return graph;
  }
  // Times of one run; without one, the costs that the planner assumed.
  timing(index) {
    const run = this.runs[index],
      steps = this.steps ? this.steps.steps : [];
    const from = run || this.document.predicted || {};
    const skipped = new Set(list(run && run.skipped)); // their conditions did not hold
    const ns = steps.map((s, i) => (run ? Math.max(0, run.end_ns[i] - run.begin_ns[i]) : s.step.predicted_ns || 0));
    return {
      run,
      ns,
      slack: list(from.slack_ns),
      gain: list(from.gain_ns),
      skipped,
      path: list(from.path).filter((i) => !skipped.has(i)),
      pathNs: from.path_ns || 0,
      onPath: new Set(list(from.path).filter((i) => !skipped.has(i))),
      measured: Boolean(run),
      latency: run ? run.latency_ns : from.path_ns || 0,
    };
  }
}

export const describeValue = (v) =>
  `${v.name || v.output || `value ${v.id}`}: ${count(v.len)} × ${v.type}, ${bytes(v.bytes)}`;
