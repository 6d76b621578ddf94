// SPDX-License-Identifier: Apache-2.0 OR MIT
// The run: a lane for each queue or worker, copies, and the critical path. Two runs have one scale.
import { category, ink, mix, palette } from './colours.js';
import { byName } from './legend.js';
import { CanvasPen, sharpness } from './pen.js';
import { time } from './words.js';

const LEFT = 176,
  LEFT_NARROW = 104,
  ROW = 20, // at least; lanes grow into the room that there is
  ROW_MOST = 34,
  TOP = 26;

// Spans of one lane that overlap are put into rows of their own.
function rowsOf(spans) {
  const ends = [];
  for (const s of spans) {
    let row = ends.findIndex((end) => end <= s.begin);
    if (row < 0) ((row = ends.length), ends.push(0));
    ((ends[row] = s.end), (s.row = row));
  }
  return Math.max(1, ends.length);
}

// Runs of one document that were in flight together with the one that is shown, which has the shift 0 if it was first.
export function together(model, timing) {
  const run = timing.run;
  if (!run || !model.runs.some((r) => r !== run && r.clock_ns !== undefined)) return [{ run, shift: 0, index: 0 }];
  const begin = (r) => r.clock_ns - run.clock_ns;
  const near = model.runs
    .map((r, index) => ({ run: r, shift: begin(r), index }))
    .filter((x) => x.shift < run.latency_ns && x.shift + x.run.latency_ns > 0);
  const first = Math.min(...near.map((x) => x.shift));
  return near.map((x) => ({ ...x, shift: x.shift - first }));
}

const laneKey = (...numbers) => `1${numbers.map((n) => String(n).padStart(4, '0')).join('')}`;
function laneKeys() {
  const known = new Map();
  return (device, lane) => {
    const id = device * 65536 + lane;
    if (!known.has(id)) known.set(id, laneKey(device, lane));
    return known.get(id);
  };
}

export function lanesOf(model, timing, name) {
  const steps = model.steps.steps,
    lanes = [],
    byLane = new Map();
  const add = (key, title, span) => {
    if (!byLane.has(key)) byLane.set(key, { key, title, spans: [] });
    byLane.get(key).spans.push(span);
  };
  if (timing.run) {
    const all = together(model, timing),
      keyOf = laneKeys();
    for (const { run, shift, index } of all) {
      const at = (b, e) => ({ begin: b + shift, end: e + shift, pale: run !== timing.run });
      if (all.length > 1)
        add('04', 'in flight', { ...at(0, run.latency_ns), title: `run ${index + 1}, ${time(run.latency_ns)}`, index });
      for (const [step, lane, begin, end] of run.spans) {
        if (step === -1) add('00', 'copy to device', { ...at(begin, end), title: 'copy to the device' });
        else if (step === -2) add('99', 'copy from device', { ...at(begin, end), title: 'copy from the device' });
        else if (steps[step])
          add(keyOf(model.deviceIndex(steps[step]), lane), model.place(model.deviceIndex(steps[step]), lane), {
            ...at(begin, end),
            item: steps[step],
            title: steps[step].title,
            lane,
            slack: run === timing.run ? timing.slack[step] : 0,
          });
      }
      if (run !== timing.run) continue;
      let before = 0;
      for (const i of timing.path) {
        const begin = run.begin_ns[i];
        if (begin > before) add('05', 'critical path', { ...at(before, begin), wait: true, title: 'waiting' });
        add('05', 'critical path', { ...at(begin, run.end_ns[i]), item: steps[i], title: steps[i].title });
        before = Math.max(before, run.end_ns[i]);
      }
    }
  } else {
    // as planned: each step right after those that it waits for
    const ends = [],
      several = model.devices.length > 1;
    steps.forEach((s, i) => {
      const begin = s.step.preds.reduce((at, p) => Math.max(at, ends[p] || 0), 0);
      ends[i] = begin + timing.ns[i];
      const device = model.deviceIndex(s),
        title = several ? `predicted, device ${device}` : 'predicted';
      add(laneKey(device), title, { begin, end: ends[i], item: s, title: s.title });
      if (timing.onPath.has(i)) add('05', 'critical path', { begin, end: ends[i], item: s, title: s.title });
    });
  }
  for (const key of [...byLane.keys()].sort()) {
    const lane = byLane.get(key);
    lane.spans.sort((a, b) => a.begin - b.begin);
    lane.rows = rowsOf(lane.spans);
    // The part of the latency in which it has work, if its spans do not overlap.
    if (timing.run && lane.key.startsWith('1') && lane.rows === 1 && !lane.spans.some((s) => s.pale))
      lane.busy = lane.spans.reduce((sum, s) => sum + s.end - s.begin, 0) / Math.max(1, timing.run.latency_ns);
    lane.run = name;
    lanes.push(lane);
  }
  return lanes;
}

export class Timeline {
  constructor(panel, state, on) {
    Object.assign(this, { panel, state, on, from: 0, to: 1 });
    this.canvas = document.createElement('canvas');
    this.canvas.setAttribute('role', 'img');
  }
  use() {
    const { state } = this;
    this.lanes = lanesOf(state.model, state.timing, 'A');
    const own = together(state.model, state.timing).find((x) => x.run === state.timing.run);
    this.shift = own ? own.shift : 0;
    if (state.other && state.other.model.steps)
      this.lanes.push(...lanesOf(state.other.model, state.other.model.timing(state.other.run), 'B'));
    this.end = Math.max(
      1,
      state.timing.latency,
      ...this.lanes.map((l) => l.spans.reduce((m, s) => Math.max(m, s.end), 0)),
    );
    ((this.from = 0), (this.to = this.end * 1.01));
    this.canvas.setAttribute(
      'aria-label',
      `Timeline of ${this.lanes.length} lanes over ${time(this.end)}; the table "Why is it slow" has the same figures`,
    );
  }
  open() {
    this.panel.replaceChildren(this.canvas);
    this.paint();
  }
  // The height of a row in a panel that is so high.
  rowIn(height) {
    const rows = this.lanes.reduce((n, l) => n + l.rows, 0);
    return Math.min(ROW_MOST, Math.max(ROW, Math.floor((height - TOP - 24 - 6 * this.lanes.length) / (rows || 1))));
  }
  height() {
    return TOP + this.lanes.reduce((h, l) => h + l.rows * ROW + 6, 0) + 24;
  }
  paint() {
    if (!this.canvas.isConnected) return;
    const { state } = this,
      w = this.panel.clientWidth,
      h = Math.max(this.panel.clientHeight, this.height()),
      row = (this.row = this.rowIn(h)),
      left = (this.left = w >= 600 ? LEFT : state.model.devices.length > 1 ? LEFT - 20 : LEFT_NARROW),
      ratio = sharpness();
    ((this.canvas.width = w * ratio), (this.canvas.height = h * ratio));
    ((this.canvas.style.width = `${w}px`), (this.canvas.style.height = `${h}px`));
    const c = this.canvas.getContext('2d'),
      p = palette(),
      pen = new CanvasPen(c);
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    ((c.fillStyle = p.back), c.fillRect(0, 0, w, h));
    this.scale = (w - left - 10) / (this.to - this.from);
    const x = (t) => left + (t - this.from) * this.scale;
    const step = niceStep((this.to - this.from) / Math.max(2, (w - left) / 110));
    for (let t = Math.ceil(this.from / step) * step; t <= this.to; t += step) {
      ((c.fillStyle = p.line), c.fillRect(Math.round(x(t)), TOP - 4, 1, h));
      if (x(t) + 4 + pen.width(time(t), 11) < w) pen.text(x(t) + 3, 12, time(t), 11, p.soft);
    }
    let y = TOP;
    const chosen = new Set(state.chosen ? state.stepsOf(state.chosen) : []);
    for (const lane of this.lanes) {
      lane.y = y;
      this.paintLane(pen, lane, { x, y, w, row, left, p, chosen });
      y += lane.rows * row;
      ((c.fillStyle = p.line), c.fillRect(0, y + 2, w, 1));
      y += 6;
    }
    const end = x(this.shift + state.timing.latency);
    if (end > left && end < w)
      (pen.box(end, TOP - 4, 1.5, h, 0, p.text, null),
        pen.text(
          end - 4,
          h - 9,
          `${state.timing.measured ? 'latency' : 'predicted'} ${time(state.timing.latency)}`,
          11,
          p.soft,
          { align: 'right' },
        ));
  }
  paintLane(pen, lane, { x, y, w, row, left, p, chosen }) {
    const { state } = this,
      path = lane.title === 'critical path',
      ink1 = path ? p.path : p.text,
      busy = lane.busy === undefined ? '' : ` ${Math.round(100 * lane.busy)}%`,
      title = `${state.other ? `${lane.run}: ` : ''}${lane.title}`;
    pen.text(10, y + row / 2, title, 11.5, ink1, { max: left - 18 - (busy ? 34 : 0), bold: path });
    if (busy) pen.text(left - 8, y + row / 2, busy, 11, p.soft, { align: 'right' });
    let drawn = -1;
    for (const s of lane.spans) {
      if (s.end < this.from || s.begin > this.to) continue;
      const x1 = Math.max(left, x(s.begin)),
        x2 = Math.min(w, x(s.end)),
        width = Math.max(0.7, x2 - x1);
      const top = y + s.row * row,
        on = s.item && chosen.has(s.item);
      if (!on && width < 1 && s.row === 0 && Math.floor(x1) === drawn) continue;
      drawn = Math.floor(x1);
      const fill = this.fill(s, path, p);
      if (on && path === false && s.slack) this.paintSlack(pen, x2, Math.min(w, x(s.end + s.slack)), top, row, p);
      const stroke = on ? p.chosen : width > 4 ? p.edge : null;
      pen.box(x1, top + 1, width, row - 3, 0, fill, stroke, on ? 2.5 : 0.5, s.wait ? [3, 3] : null);
      if (width > 34) pen.text(x1 + 4, top + row / 2, s.title, 10.5, ink(fill || p.back), { max: width - 8 });
    }
  }
  // How much longer what is chosen could take.
  paintSlack(pen, x1, x2, top, row, p) {
    if (x2 - x1 < 2) return;
    pen.box(x1, top + row / 2 - 4, x2 - x1, 7, 0, null, p.chosen, 1, [3, 2]);
    const text = 'slack';
    if (x2 - x1 > pen.width(text, 10) + 8) pen.text(x1 + 4, top + row - 4, text, 10, p.text);
  }
  fill(span, path, p) {
    const { state } = this;
    if (span.wait) return null;
    if (span.pale) return p.side;
    if (!span.item) return p.line;
    if (path) return mix(p.node, p.path, 0.55);
    const own = state.model.steps.byId.get(span.item.id) === span.item; // the other run's have no judgement here
    return byName(state.colour) && own ? this.named(span) : category(state.kindOf(span.item), state.dark);
  }
  named(span) {
    const { state } = this,
      i = { bound: () => state.bound(span.item), device: () => state.device(span.item), lane: () => span.lane }[
        state.colour
      ]();
    return i === undefined ? palette().node : category(i, state.dark);
  }
  hit(px, py) {
    for (const lane of this.lanes) {
      if (py < lane.y || py > lane.y + lane.rows * this.row) continue;
      const t = this.from + (px - this.left) / this.scale,
        slack = 2 / this.scale,
        row = Math.floor((py - lane.y) / this.row);
      const found = lane.spans.filter((s) => s.row === row && t >= s.begin - slack && t <= s.end + slack);
      return found.sort((a, b) => a.end - a.begin - (b.end - b.begin))[0] || null;
    }
    return null;
  }
  zoomAt(factor, px) {
    const t = this.from + (px - this.left) / this.scale,
      span = Math.min(this.end * 1.01, Math.max(200, (this.to - this.from) / factor));
    const part = (t - this.from) / (this.to - this.from);
    ((this.from = Math.max(0, Math.min(t - part * span, this.end * 1.01 - span))), (this.to = this.from + span));
    this.paint();
  }
  pan(dx) {
    const by = Math.max(-this.from, Math.min(-dx / this.scale, this.end * 1.01 - this.to));
    ((this.from += by), (this.to += by));
    this.paint();
  }
  zoomTo(item) {
    const run = this.state.timing.run,
      steps = this.state.stepsOf(item);
    if (!run || !steps.length) return;
    const begin = this.shift + Math.min(...steps.map((s) => run.begin_ns[s.index])),
      end = this.shift + Math.max(...steps.map((s) => run.end_ns[s.index]));
    const span = Math.max(200, (end - begin) * 1.6),
      middle = (begin + end) / 2;
    ((this.from = Math.max(0, middle - span / 2)), (this.to = this.from + span));
    this.paint();
  }
}

export function niceStep(rough) {
  const power = 10 ** Math.floor(Math.log10(rough)),
    part = rough / power;
  return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}
