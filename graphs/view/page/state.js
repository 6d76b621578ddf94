// SPDX-License-Identifier: Apache-2.0 OR MIT
// What is chosen and shown, and figures of nodes and phases that follow from it.
import { boundNames } from './colours.js';
import { standIn } from './layout.js';

// A dispatch is bound by what it does at this share of the ceiling or more.
const BOUND = 0.5;
// No cache is faster than memory by more: a dispatch beyond that did not touch all of its values. No device multiplies
// faster than in registers: beyond that, and what a busy machine may measure, many products were with zeros.
const BEYOND = { bytes: 4, products: 2 };

// One worker took that many times as long as the others on average.
const UNEVEN = 3;

// Things of one kind, such as operations, have a colour of their own if they weigh most; all others share the last one.
export const OTHERS = 9;
export function mostFirst(weights) {
  const order = [...weights].sort((a, b) => b[1] - a[1]);
  return new Map(order.map(([name], i) => [name, Math.min(i, OTHERS)]));
}
const kindName = (item) => (item.node ? item.node.op : item.title);
function rank(model, timing) {
  const weights = new Map(),
    items = model.steps ? model.steps.steps : model.ops.nodes.filter((n) => !n.port);
  for (const x of items) weights.set(kindName(x), (weights.get(kindName(x)) || 0) + (timing.ns[x.index] || 1));
  return mostFirst(weights);
}

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
    this.update();
  }
  get graph() {
    return this.model.graph(this.level);
  }
  update() {
    this.timing = this.model.timing(this.run);
    ((this.cache = new Map()), (this.mosts = new Map()), (this.judged = new Map()));
    this.matches = null;
    if (this.other) this.match();
    const steps = this.model.steps ? this.model.steps.steps : [];
    this.byLane = null;
    this.kinds = rank(this.model, this.timing);
    this.epochs = steps.reduce((most, s) => Math.max(most, s.step.epoch || 0), 0);
    ((this.lanes = new Map()), (this.works = new Map()), (this.busy = new Map()));
    for (const [step, lane, begin, end] of (this.timing.run && this.timing.run.spans) || []) {
      if (step < 0 || !steps[step]) continue;
      const best = this.lanes.get(step);
      this.busy.set(step, (this.busy.get(step) || 0) + end - begin);
      const device = this.model.deviceIndex(steps[step]);
      if (!best || end - begin > best.ns) this.lanes.set(step, { lane, device, ns: end - begin });
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
    const s = item.isPhase ? { nodes: 0, bytes: 0, ns: 0 } : { nodes: 1, bytes: item.bytes, ns: 0 };
    this.cache.set(item, s);
    if (item.step) this.addStep(s, item);
    else if (item.isPhase) {
      for (const c of item.children) if (!c.port) this.addPart(s, this.summary(c));
    } else for (const step of item.steps || []) this.addStep(s, step);
    return s;
  }
  addStep(s, step) {
    const t = this.timing,
      i = step.index,
      lane = this.lanes.get(i),
      other = this.byStep && this.matches ? this.byStep.get(step) : undefined;
    s.ns += t.ns[i] || 0;
    s.slack = Math.min(s.slack ?? Infinity, t.slack[i] || 0);
    s.epoch = Math.max(s.epoch || 0, step.step.epoch || 0);
    if (lane && (s.longest === undefined || t.ns[i] > s.longest)) ((s.lane = lane.lane), (s.longest = t.ns[i]));
    if (other !== undefined) s.difference = (s.difference || 0) + t.ns[i] - other;
  }
  addPart(s, part) {
    ((s.nodes += part.nodes), (s.bytes += part.bytes), (s.ns += part.ns));
    if (part.slack !== undefined) s.slack = Math.min(s.slack ?? Infinity, part.slack);
    if (part.epoch !== undefined) s.epoch = Math.max(s.epoch || 0, part.epoch);
    if (part.longest !== undefined && !(s.longest >= part.longest)) ((s.lane = part.lane), (s.longest = part.longest));
    if (part.difference !== undefined) s.difference = (s.difference || 0) + part.difference;
  }
  // What bounds the slowest dispatch of an item, its device, and the share of ceilings of all of them.
  judge(item) {
    if (this.judged.has(item)) return this.judged.get(item);
    const { ns } = this.timing,
      steps = this.stepsOf(item);
    let all = 0,
      part = 0;
    for (const step of steps) {
      const { share } = this.work(step);
      if (share !== undefined) ((part += Math.min(1, share) * ns[step.index]), (all += ns[step.index]));
    }
    const slowest = steps.reduce((a, b) => (a && (ns[a.index] || 0) >= (ns[b.index] || 0) ? a : b), null);
    const j = { share: all ? part / all : undefined };
    if (slowest) ((j.bound = this.bound(slowest)), (j.device = this.device(slowest)));
    this.judged.set(item, j);
    return j;
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
    return this.kinds.get(longest ? kindName(longest) : item.title) ?? OTHERS;
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
  // What a dispatch that could have begun had to wait for: what ran before it in its place.
  before(item) {
    const run = this.timing.run,
      lane = this.lanes.get(item.index),
      { steps } = this.model.steps;
    if (!run || !lane) return null;
    if (!this.byLane) {
      this.byLane = new Map();
      for (const span of run.spans) {
        if (span[0] < 0 || !steps[span[0]]) continue;
        const key = `${this.device(steps[span[0]])},${span[1]}`;
        (this.byLane.get(key) || this.byLane.set(key, []).get(key)).push(span);
      }
      for (const spans of this.byLane.values()) spans.sort((a, b) => a[3] - b[3]);
    }
    const begin = run.begin_ns[item.index];
    const spans = this.byLane.get(`${lane.device},${lane.lane}`) || [];
    let low = 0,
      high = spans.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (spans[middle][3] <= begin) low = middle + 1;
      else high = middle;
    }
    while (low > 0 && spans[low - 1][0] === item.index) low--;
    return low ? steps[spans[low - 1][0]] : null;
  }
  // What a dispatch does beside the ceilings: rates while it ran, their shares, the least time that the whole device
  // would need for the same work, and what the path would win if it took only that.
  work(item) {
    if (this.works.has(item)) return this.works.get(item);
    const { model, timing } = this,
      i = item.index,
      w = { field: item.step.field, products: item.step.products, bytes: item.bytes, ns: timing.ns[i], floor: 0 };
    const device = model.deviceOf(item),
      cpu = device.kind === 'cpu',
      most = device.name === model.devices[0].name && device.kind === model.devices[0].kind ? model.ceilings : null;
    // On a CPU several dispatches run side by side, each on some of the workers.
    w.busy = cpu ? (this.busy.get(i) || 0) / Math.max(1, device.workers) : w.ns;
    if (most && timing.measured && w.busy > 0) {
      const perNs = (most.products_per_s[w.field] || 0) / 1e9;
      w.bytesShare = w.bytes / w.busy / (most.bytes_per_s / 1e9);
      if (w.bytesShare > BEYOND.bytes) w.bytesShare = undefined;
      else w.floor = (w.bytes / most.bytes_per_s) * 1e9;
      if (w.products === 0) w.productsShare = 0;
      if (w.products / w.busy > BEYOND.products * perNs) w.products = undefined;
      if (w.products && perNs)
        ((w.productsShare = w.products / w.busy / perNs), (w.floor = Math.max(w.floor, w.products / perNs)));
      w.share = Math.max(w.bytesShare || 0, w.productsShare || 0);
    }
    w.win = Math.max(0, Math.min(timing.gain[i] || 0, w.ns - w.floor));
    this.works.set(item, w);
    return w;
  }
  bound(item) {
    const ns = this.timing.ns[item.index];
    if (!ns || !this.timing.measured) return undefined;
    if (this.ready(item).wait > ns) return 0;
    const w = this.work(item);
    if (w.share === undefined) return undefined;
    if ((w.productsShare || 0) >= Math.max(BOUND, w.bytesShare || 0)) return 1;
    if (w.bytesShare >= BOUND) return 2;
    return w.products === undefined ? 4 : 3;
  }
  // In words, with whom it waited for.
  verdict(item) {
    const bound = this.bound(item);
    if (bound === undefined) return '';
    if (bound) return boundNames[bound];
    const by = this.before(item) || this.ready(item).by;
    return by ? `waiting for ${by.title} (${by.phase.title.split(': ')[0]})` : 'waiting for the submission';
  }
  // Whether the run did nothing for an item, since its condition did not hold.
  isLeftOut(item) {
    if (!this.timing.skipped.size || item.port) return false;
    const steps = this.stepsOf(item);
    return steps.length > 0 && steps.every((s) => this.timing.skipped.has(s.index));
  }
  // Workers that took unequal parts of a dispatch: the longest time of one, and the mean of the others; or null.
  uneven(item) {
    const { run } = this.timing,
      times = this.parts(item).map((p) => p.ns);
    if (!run || times.length < 2) return null;
    const longest = Math.max(...times),
      others = (times.reduce((a, b) => a + b, 0) - longest) / (times.length - 1);
    return longest > UNEVEN * others ? { longest, others, workers: times.length } : null;
  }
  // Per worker or queue that took part in a dispatch: its lane, and the sum of its times.
  parts(item) {
    const found = new Map();
    for (const [step, lane, begin, end] of (this.timing.run && this.timing.run.spans) || [])
      if (step === item.index) found.set(lane, (found.get(lane) || 0) + end - begin);
    return [...found].sort((a, b) => a[0] - b[0]).map(([lane, ns]) => ({ lane, ns }));
  }
  device(item) {
    return this.model.deviceIndex(item);
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
