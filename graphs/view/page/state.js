// SPDX-License-Identifier: Apache-2.0 OR MIT
// What is chosen and shown, and figures of nodes and phases that follow from it.
import { standIn } from './layout.js';

// Rough rules, of which the help page speaks: the ceilings are those that the planner assumes.
const LAUNCH_NS = { cpu: 3000, cuda: 4000, vulkan: 8000 },
  BYTES_PER_NS = { cpu: 10, cuda: 1000, vulkan: 1000 };

export class State {
  constructor(models) {
    Object.assign(this, {
      models,
      model: models[0],
      level: 'ops',
      colour: 'time',
      run: 0,
      other: null,
      path: true,
      memory: false,
      constants: false,
      chosen: null,
      hits: null,
      dark: false,
    });
    this.kinds = new Map();
    this.update();
  }
  get graph() {
    return this.model.graph(this.level);
  }
  update() {
    this.timing = this.model.timing(this.run);
    ((this.cache = new Map()), (this.mosts = new Map()));
    this.matches = null;
    if (this.other) this.match();
    const steps = this.model.steps ? this.model.steps.steps : [];
    this.epochs = steps.reduce((most, s) => Math.max(most, s.step.epoch || 0), 0);
    this.lanes = new Map();
    for (const [step, lane, begin, end] of (this.timing.run && this.timing.run.spans) || []) {
      if (step < 0) continue;
      const best = this.lanes.get(step);
      if (!best || end - begin > best.ns) this.lanes.set(step, { lane, ns: end - begin });
    }
  }
  // Steps of both runs that have the same name, in turn.
  match() {
    const { model, run } = this.other,
      timing = model.timing(run),
      theirs = new Map();
    (model.steps ? model.steps.steps : []).forEach((s, i) => {
      if (!theirs.has(s.path)) theirs.set(s.path, []);
      theirs.get(s.path).push({ item: s, ns: timing.ns[i] });
    });
    this.matches = { timing, pairs: [], mine: [], theirs: [] };
    this.byStep = new Map();
    (this.model.steps ? this.model.steps.steps : []).forEach((s, i) => {
      const found = (theirs.get(s.path) || []).shift();
      if (found)
        (this.matches.pairs.push({ item: s, a: this.timing.ns[i], b: found.ns }), this.byStep.set(s, found.ns));
      else this.matches.mine.push({ item: s, a: this.timing.ns[i] });
    });
    for (const rest of theirs.values()) this.matches.theirs.push(...rest);
  }
  stepsOf(item) {
    if (item.port) return [];
    if (item.step) return [item];
    if (item.steps) return item.steps;
    return item.children.flatMap((c) => this.stepsOf(c));
  }
  summary(item) {
    if (this.cache.has(item)) return this.cache.get(item);
    const t = this.timing,
      s = { nodes: 0, bytes: 0, ns: 0 };
    const nodes = item.isPhase ? item.children.filter((c) => !c.port).map((c) => this.summary(c)) : null;
    if (nodes) for (const c of nodes) ((s.nodes += c.nodes), (s.bytes += c.bytes));
    else ((s.nodes = 1), (s.bytes = item.bytes));
    for (const step of this.stepsOf(item)) {
      const i = step.index,
        lane = this.lanes.get(i);
      s.ns += t.ns[i] || 0;
      s.slack = Math.min(s.slack === undefined ? Infinity : s.slack, t.slack[i] || 0);
      s.epoch = Math.max(s.epoch || 0, step.step.epoch || 0);
      if (lane && (s.lane === undefined || t.ns[i] > s.longest)) ((s.lane = lane.lane), (s.longest = t.ns[i]));
      if (s.bound === undefined || t.ns[i] > s.boundNs) ((s.bound = this.bound(step)), (s.boundNs = t.ns[i]));
      if (this.byStep && this.matches && this.byStep.has(step))
        s.difference = (s.difference || 0) + t.ns[i] - this.byStep.get(step);
    }
    this.cache.set(item, s);
    return s;
  }
  most(what) {
    if (this.mosts.has(what)) return this.mosts.get(what);
    const phases = what.startsWith('phase');
    let most = 0;
    for (const item of phases ? this.graph.scopes.slice(1) : this.graph.nodes) {
      const s = this.summary(item);
      most = Math.max(most, Math.abs({ phase: s.ns, phaseBytes: s.bytes }[what] ?? s[what] ?? 0));
    }
    this.mosts.set(what, most || 1);
    return most || 1;
  }
  kindOf(item) {
    const nodes = item.isPhase ? this.stepsOf(item) : [item];
    const longest = nodes.reduce(
      (a, b) => (!a || (this.timing.ns[b.index] || 0) > (this.timing.ns[a.index] || 0) ? b : a),
      null,
    );
    const name = longest ? (longest.node ? longest.node.op : longest.title) : item.title;
    if (!this.kinds.has(name)) this.kinds.set(name, this.kinds.size);
    return this.kinds.get(name);
  }
  // When the last step that this one waits for has ended, and which it was.
  ready(item) {
    const run = this.timing.run;
    let at = 0,
      by = null;
    if (run)
      for (const p of item.step.preds) if (run.end_ns[p] > at) ((at = run.end_ns[p]), (by = this.model.steps.steps[p]));
    return { at, by, wait: run ? Math.max(0, run.begin_ns[item.index] - at) : 0 };
  }
  bound(item) {
    const ns = this.timing.ns[item.index],
      kind = this.model.device ? this.model.device.kind : 'cpu';
    if (!ns) return undefined;
    if (this.timing.measured && this.ready(item).wait > ns) return 0;
    if (ns < (LAUNCH_NS[kind] || 3000)) return 1;
    if (item.bytes / ns > 0.5 * (BYTES_PER_NS[kind] || 10)) return 2;
    return 3;
  }
  onPath(item) {
    return this.stepsOf(item).some((s) => this.timing.onPath.has(s.index));
  }
  // Edges between items that stand for consecutive steps of the critical path.
  findPathEdges(edges) {
    const wanted = new Set(),
      path = this.timing.path,
      steps = this.model.steps ? this.model.steps.steps : [];
    for (let i = 1; i < path.length; i++) {
      let a = steps[path[i - 1]],
        b = steps[path[i]];
      if (!a || !b) continue;
      if (this.level === 'ops') ((a = a.op || a), (b = b.op || b));
      wanted.add(`${standIn(a).id}>${standIn(b).id}`);
    }
    this.pathEdges = new Set(edges.filter((e) => wanted.has(`${e.from.id}>${e.to.id}`)));
  }
}
