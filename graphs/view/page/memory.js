// SPDX-License-Identifier: Apache-2.0 OR MIT
// Memory by address and time: each value of the arena as a box over the steps between its first and last use.
import { category, ink, palette } from './colours.js';
import { el } from './dom.js';
import { mostFirst } from './state.js';
import { niceStep } from './timeline.js';
import { CanvasPen, sharpness } from './pen.js';
import { bytes, last, share, time } from './words.js';

const change = (x, of) => `${x >= of ? '+' : '−'}${share(Math.abs(x - of), of)}`;

const phaseOf = (box) => box.first.phase.title.split(': ')[0];

// In the list of what memory holds: so many in any case, and at most; between them those of one percent or more.
const FEW = 6,
  MOST = 40;
const LEFT = 74,
  BOTTOM = 24,
  TOP = 8;

export class Memory {
  constructor(panel, state, go) {
    Object.assign(this, { panel, state, go });
    this.canvas = document.createElement('canvas');
    this.side = el('div', { id: 'holds', role: 'group', 'aria-label': 'What memory holds' });
    this.canvas.setAttribute('role', 'img');
  }
  use() {
    const { model, timing } = this.state,
      steps = model.steps.steps,
      recording = model.recording;
    const life = new Map();
    const at = timing.run ? (i) => [timing.run.begin_ns[i], timing.run.end_ns[i]] : (i) => [i, i + 1];
    this.measured = Boolean(timing.run);
    steps.forEach((s, i) => {
      if (timing.skipped.has(i)) return; // it holds nothing
      const [begin, end] = at(i);
      for (const t of s.step.touches) {
        const l = life.get(t.value);
        if (!l) life.set(t.value, { begin, end, first: s });
        else ((l.begin = Math.min(l.begin, begin)), (l.end = Math.max(l.end, end)));
      }
    });
    const arenas = recording.blocks.filter((b) => b.space === 'arena'),
      base = new Map();
    this.size = 0;
    for (const b of arenas) (base.set(b.block, this.size), (this.size += b.bytes));
    this.boxes = [];
    for (const v of recording.values)
      for (const g of v.segments || []) {
        if (!base.has(g.block) || !life.has(v.id)) continue;
        this.boxes.push({
          v,
          ...life.get(v.id),
          low: base.get(g.block) + g.offset,
          high: base.get(g.block) + g.offset + g.bytes,
        });
      }
    this.totals = new Map();
    for (const b of this.boxes) {
      const name = phaseOf(b);
      this.totals.set(name, (this.totals.get(name) || 0) + b.high - b.low);
    }
    this.phases = mostFirst(this.totals);
    this.end = Math.max(
      1,
      this.boxes.reduce((m, b) => Math.max(m, b.end), 0),
      timing.run ? timing.latency : 0,
    );
    const events = this.boxes
      .flatMap((b) => [
        [b.begin, b.high - b.low],
        [b.end, b.low - b.high],
      ])
      .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    let now = 0;
    ((this.peak = 0), (this.peakAt = 0), (this.sums = []));
    for (const [t, d] of events) {
      ((now += d), this.sums.push([t, now]));
      if (now > this.peak) ((this.peak = now), (this.peakAt = t));
    }
    this.shownAt = this.peakAt;
    this.canvas.setAttribute(
      'aria-label',
      `Arena of ${bytes(this.size)} by address and time; at most ${bytes(this.peak)} hold values at once`,
    );
  }
  holding(at) {
    return this.boxes.filter((b) => b.begin <= at && b.end > at).sort((a, b) => b.high - b.low - a.high + a.low);
  }
  get atPeak() {
    return this.holding(this.peakAt);
  }
  open() {
    this.panel.replaceChildren(this.canvas, this.side);
    this.list();
    this.paint();
  }
  // What the arena holds at one time; what other plans would take.
  list() {
    const found = this.holding(this.shownAt),
      sum = found.reduce((n, b) => n + b.high - b.low, 0),
      when = this.measured ? time(this.shownAt) : `step ${this.shownAt}`;
    const button = (b) =>
      el('button', { class: 'link', type: 'button', title: b.v.name, onclick: () => this.go(b.first) }, last(b.v.name));
    const weight = (b) => b.high - b.low,
      line = (b) => [button(b), phaseOf(b), bytes(weight(b)), share(weight(b), sum)],
      large = found.filter((b, i) => i < FEW || (i < MOST && weight(b) >= sum / 100)),
      rest = found.slice(large.length),
      restSum = rest.reduce((n, b) => n + weight(b), 0);
    const rows = large.map(line);
    if (rest.length) rows.push([`and ${rest.length} smaller`, '', bytes(restSum), share(restSum, sum)]);
    const head = this.shownAt === this.peakAt ? `The peak, at ${when}` : `At ${when}`;
    this.side.replaceChildren(
      el('h3', {}, `${head}: ${bytes(sum)} in ${found.length} values`),
      el(
        'table',
        {},
        el(
          'tbody',
          {},
          rows.map((cells) =>
            el(
              'tr',
              {},
              cells.map((c, i) => el('td', { class: i < 2 ? 'text' : null }, c)),
            ),
          ),
        ),
      ),
      ...this.plans(),
    );
  }
  plans() {
    const { points, recording } = this.state.model,
      mine = recording.plan.total_bytes,
      own = points.find((p) => p.total_bytes === mine) || points[0];
    if (!points.length) return [];
    const heads = ['Budget', 'Arena', 'Predicted', 'Dispatches'];
    const row = (p) => [
      `${bytes(p.total_bytes)}${p === own ? ' (this)' : ''}`,
      bytes(p.arena_bytes),
      `${time(p.predicted_ns)}${p === own ? '' : ` (${change(p.predicted_ns, own.predicted_ns)})`}`,
      p.dispatches.toLocaleString('en'),
    ];
    const few = points.length < 2 ? ' There is no smaller plan.' : '';
    return [
      el('h3', {}, 'With another budget'),
      el('p', { class: 'soft' }, `What the planner would choose, by predicted times, which only compare plans.${few}`),
      el(
        'table',
        {},
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            heads.map((h) => el('th', { scope: 'col' }, h)),
          ),
        ),
        el(
          'tbody',
          {},
          points.map((p) =>
            el(
              'tr',
              {},
              row(p).map((c) => el('td', {}, c)),
            ),
          ),
        ),
      ),
    ];
  }
  paint() {
    if (!this.canvas.isConnected) return;
    const w = this.canvas.parentElement.clientWidth - (this.isNarrow ? 0 : this.side.offsetWidth),
      h = this.panel.clientHeight,
      ratio = sharpness();
    ((this.canvas.width = w * ratio), (this.canvas.height = h * ratio));
    ((this.canvas.style.width = `${w}px`), (this.canvas.style.height = `${h}px`));
    const c = this.canvas.getContext('2d'),
      p = palette(),
      pen = new CanvasPen(c),
      { state } = this;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    ((c.fillStyle = p.back), c.fillRect(0, 0, w, h));
    const sx = (w - LEFT - 10) / this.end,
      sy = (h - BOTTOM - TOP) / (this.size || 1);
    Object.assign(this, { sx, sy });
    for (let i = 0; i <= 4; i++) {
      const y = h - BOTTOM - (i * (h - BOTTOM - TOP)) / 4;
      ((c.fillStyle = p.line), c.fillRect(LEFT, y, w, 1));
      pen.text(LEFT - 6, Math.max(8, y), bytes(Math.round((this.size * i) / 4)), 10.5, p.soft, { align: 'right' });
    }
    const step = niceStep(this.end / Math.max(2, (w - LEFT) / 110));
    for (let t = 0; t <= this.end; t += step) {
      const text = this.measured ? time(t) : `step ${t}`;
      if (LEFT + t * sx + pen.width(text, 11) < w) pen.text(LEFT + t * sx, h - 11, text, 11, p.soft);
    }
    const chosen = new Set(
      state.chosen ? state.stepsOf(state.chosen).flatMap((s) => s.step.touches.map((t) => t.value)) : [],
    );
    for (const b of this.boxes) {
      const x = LEFT + b.begin * sx,
        y = h - BOTTOM - b.high * sy,
        bw = Math.max(1, (b.end - b.begin) * sx),
        bh = Math.max(1, (b.high - b.low) * sy);
      const fill = category(this.phases.get(phaseOf(b)), state.dark),
        on = chosen.has(b.v.id);
      pen.box(x, y, bw, bh, 0, fill, on ? p.chosen : bh > 3 ? p.edge : null, on ? 2.5 : 0.5);
      if (bw > 50 && bh > 13) pen.text(x + 4, y + bh / 2, b.v.name, 10.5, ink(fill), { max: bw - 8 });
    }
    ((c.fillStyle = p.chosen), c.fillRect(LEFT + this.shownAt * sx, TOP, 1.5, h - BOTTOM - TOP));
    c.beginPath();
    this.sums.forEach(([t, n], i) => {
      const x = LEFT + t * sx,
        y = (m) => h - BOTTOM - m * sy;
      (c.lineTo(x, y(i ? this.sums[i - 1][1] : 0)), c.lineTo(x, y(n)));
    });
    ((c.strokeStyle = p.path), (c.lineWidth = 1.5), c.setLineDash([]), c.stroke());
  }
  get isNarrow() {
    return this.panel.clientWidth < 700;
  }
  // Lists what memory holds at that place.
  look(px) {
    this.shownAt = Math.max(0, (px - LEFT) / this.sx);
    this.list();
    this.paint();
  }
  // To the next time, or the one before, at which something begins or ends.
  step(by) {
    const times = [...new Set(this.sums.map((s) => s[0]))];
    const at = by > 0 ? times.find((t) => t > this.shownAt) : times.reverse().find((t) => t < this.shownAt);
    if (at === undefined) return;
    this.shownAt = at;
    (this.list(), this.paint());
  }
  hit(px, py) {
    const t = (px - LEFT) / this.sx,
      a = (this.panel.clientHeight - BOTTOM - py) / this.sy;
    return (
      this.boxes
        .filter((b) => t >= b.begin && t <= b.end && a >= b.low && a <= b.high)
        .sort((a1, b1) => a1.end - a1.begin - (b1.end - b1.begin))[0] || null
    );
  }
}
