// SPDX-License-Identifier: Apache-2.0 OR MIT
// The graph as it is drawn: positions, zoom, and a picture a little larger than the view, so that panning only moves
// it.
import { category, ink, mix, palette } from './colours.js';
import { arrange, layout, standIn } from './layout.js';
import { CanvasPen, SvgPen, sharpness } from './pen.js';
import { bytes, time } from './words.js';

const MARGIN = 0.4;
export const LEAST = 0.002;
// Below this zoom, the usual words in boxes are too small.
const LEGIBLE = 0.72,
  TINY = 0.34;

// A text in two lines, of which the first has as many words as there is room for.
function halves(pen, text, size, room) {
  const words = text.split(' ');
  let n = words.length - 1;
  while (n > 1 && pen.width(words.slice(0, n).join(' '), size, true) > room) n--;
  return [words.slice(0, n).join(' '), words.slice(n).join(' ')];
}

export class Scene {
  constructor(canvas, minimap, state) {
    Object.assign(this, { canvas, minimap, state, zoom: 1, x: 0, y: 0, cache: null });
    this.picture = document.createElement('canvas');
    this.pending = 0;
  }
  use(graph) {
    this.graph = graph;
    this.arranged = null;
  }
  relayout() {
    const options = { constants: this.state.constants, memory: this.state.memory };
    if (this.arranged !== `${options.constants}`)
      (arrange(this.graph, options), (this.arranged = `${options.constants}`));
    this.view = layout(this.graph, options);
    this.redraw();
  }
  redraw() {
    ((this.cache = null), this.request());
  }
  request() {
    this.pending ||= requestAnimationFrame(() => {
      ((this.pending = 0), this.paint());
    });
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = this.canvas,
      ratio = sharpness();
    if (this.canvas.width !== w * ratio || this.canvas.height !== h * ratio)
      ((this.canvas.width = w * ratio), (this.canvas.height = h * ratio), (this.cache = null));
    ((this.w = w), (this.h = h), (this.ratio = ratio));
  }
  fit() {
    this.resize();
    this.zoom = Math.min(1.15, Math.max(LEAST, Math.min((this.w - 32) / this.view.w, (this.h - 32) / this.view.h)));
    ((this.x = this.view.w / 2), (this.y = this.view.h / 2));
    this.redraw();
  }
  // Keeps what is at a point of the view where it is.
  zoomAt(factor, px, py) {
    const zoom = Math.min(4, Math.max(LEAST, this.zoom * factor));
    this.x += (px - this.w / 2) * (1 / this.zoom - 1 / zoom);
    this.y += (py - this.h / 2) * (1 / this.zoom - 1 / zoom);
    this.zoom = zoom;
    this.redraw();
  }
  pan(dx, dy) {
    ((this.x -= dx / this.zoom), (this.y -= dy / this.zoom), this.request());
  }
  show(item, always = false) {
    const at = standIn(item),
      m = 40 / this.zoom;
    const left = this.x - this.w / 2 / this.zoom,
      top = this.y - this.h / 2 / this.zoom;
    const out =
      at.x < left + m ||
      at.y < top + m ||
      at.x + at.w > left + this.w / this.zoom - m ||
      at.y + at.h > top + this.h / this.zoom - m;
    if (always && this.zoom < 0.5) ((this.zoom = 0.8), (this.cache = null));
    if (out || always) ((this.x = at.x + at.w / 2), (this.y = at.y + Math.min(at.h, this.h / this.zoom) / 2));
    this.request();
  }
  hit(px, py) {
    const x = (px - this.w / 2) / this.zoom + this.x,
      y = (py - this.h / 2) / this.zoom + this.y;
    for (let i = this.view.items.length - 1; i >= 0; i--) {
      const t = this.view.items[i];
      if (x >= t.x && x <= t.x + t.w && y >= t.y && y <= t.y + t.h) return t;
    }
    return null;
  }

  paint() {
    this.resize();
    if (!this.w || !this.h || !this.view) return;
    ((this.x = Math.max(0, Math.min(this.view.w, this.x))),
      (this.y = Math.max(0, Math.min(this.view.h + 40 / this.zoom, this.y))));
    const c = this.cache,
      s = this.zoom;
    const left = this.x - this.w / 2 / s,
      top = this.y - this.h / 2 / s,
      right = left + this.w / s,
      bottom = top + this.h / s;
    if (!c || left < c.left || top < c.top || right > c.right || bottom > c.bottom) this.render();
    const k = this.cache,
      context = this.canvas.getContext('2d');
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(
      this.picture,
      Math.round((k.left - left) * s * this.ratio),
      Math.round((k.top - top) * s * this.ratio),
    );
    this.paintMinimap(left, top, right, bottom);
  }
  render() {
    const s = this.zoom,
      mx = this.w * MARGIN,
      my = this.h * MARGIN,
      p = palette();
    const k = { left: this.x - (this.w / 2 + mx) / s, top: this.y - (this.h / 2 + my) / s };
    ((k.right = k.left + (this.w + 2 * mx) / s), (k.bottom = k.top + (this.h + 2 * my) / s));
    const pw = Math.ceil((this.w + 2 * mx) * this.ratio),
      ph = Math.ceil((this.h + 2 * my) * this.ratio);
    if (this.picture.width !== pw || this.picture.height !== ph)
      ((this.picture.width = pw), (this.picture.height = ph));
    const c = this.picture.getContext('2d', { alpha: false });
    c.setTransform(1, 0, 0, 1, 0, 0);
    ((c.fillStyle = p.back), c.fillRect(0, 0, pw, ph));
    c.setTransform(this.ratio * s, 0, 0, this.ratio * s, -k.left * this.ratio * s, -k.top * this.ratio * s);
    this.draw(new CanvasPen(c), k, s, p);
    this.cache = k;
  }

  // The title of an open phase, on a ground of its own: lines that come in from above pass behind it.
  drawTitle(pen, t, s, p) {
    const [head, rest] = t.title.split(/: (.*)/s),
      wide = t.w - 24,
      small = s < LEGIBLE,
      size = s < TINY ? 26 : small ? 18 : 13,
      fill = t.depth % 2 ? p.phase : p.back;
    const line = (y, text, size, color, bold) => {
      const w = Math.min(wide, pen.width(text, size, bold));
      pen.box(t.x + 10, y - size / 2 - 1, w + 4, size + 2, 3, fill, null, 0);
      pen.text(t.x + 12, y, text, size, color, { bold, max: wide });
    };
    if (t.w * s > 60) line(t.y + (small ? 20 : 15), `▾ ${head}`, size, p.text, true);
    if (rest && !small) line(t.y + 32, rest, 11, p.soft, false);
  }
  draw(pen, area, s, p) {
    const { items, edges } = this.view,
      state = this.state;
    const isIn = (t) => t.x < area.right && t.x + t.w > area.left && t.y < area.bottom && t.y + t.h > area.top;
    const visible = items.filter(isIn),
      chosen = state.chosen ? standIn(state.chosen) : null;
    const hits = state.hits,
      fine = s > 0.18,
      coarse = s < 0.09;
    for (const t of visible)
      if (t.isPhase && t.open) {
        const stroke = t === chosen ? p.chosen : p.line;
        pen.box(t.x, t.y, t.w, t.h, 10, t.depth % 2 ? p.phase : p.back, stroke, t === chosen ? 3 : 1);
      }
    const groups = { data: [], constant: [], memory: [], path: [], near: [] };
    for (const e of edges) {
      if (e.right < area.left || e.left > area.right || e.bottom < area.top || e.top > area.bottom) continue;
      if (chosen && (e.from === chosen || e.to === chosen)) groups.near.push(e);
      else if (state.path && state.pathEdges.has(e)) groups.path.push(e);
      else groups[e.kind].push(e);
    }
    const thin = Math.max(1, 0.7 / s);
    if (!coarse || edges.length < 4000) {
      pen.curves(groups.constant, p.edge, thin, [1.5, 3.5]);
      pen.curves(groups.memory, p.edge, thin, [5, 4]);
      pen.curves(groups.data, p.edge, thin);
      if (fine) (pen.heads(groups.data, p.edge, 6), pen.heads(groups.memory, p.edge, 6));
    }
    (pen.curves(groups.path, p.path, Math.max(2.5, 2 / s)), pen.heads(groups.path, p.path, 9));
    (pen.curves(groups.near, p.chosen, Math.max(2, 1.6 / s)), pen.heads(groups.near, p.chosen, 8));
    for (const t of visible) if (t.isPhase && t.open) this.drawTitle(pen, t, s, p);
    for (const t of visible) {
      if (t.isPhase && t.open) continue;
      const fill = this.fill(t, p),
        on = state.path && state.onPath(t),
        hit = hits && hits.has(t);
      const stroke = t === chosen ? p.chosen : hit ? p.hit : on ? p.path : p.edge;
      const width = (t === chosen || hit || on ? 2.5 : 1) * (s < 0.5 ? Math.min(3, 0.5 / s) : 1);
      pen.box(
        t.x,
        t.y,
        t.w,
        t.h,
        coarse ? 0 : t.port ? t.h / 2 : 6,
        fill,
        stroke,
        width,
        t.port === 'constant' || state.isLeftOut(t) ? [3, 3] : null,
      );
      if (fine) this.label(pen, t, ink(fill), on, s < LEGIBLE);
    }
  }
  // Words in a box: all of them, or, if they would be too small to be read, fewer and larger ones.
  label(pen, t, color, on, small) {
    const figure = this.figure(t),
      room = t.w - 20,
      x = t.x + (t.port ? 14 : 10),
      right = { align: 'right', bold: on },
      bold = { bold: true, max: room };
    const [head, rest] = t.isPhase ? t.title.split(/: (.*)/s) : [t.title];
    const title = (t.isPhase ? '▸ ' : '') + head;
    if (this.zoom < TINY) {
      const [first, second] = pen.width(title, 26, true) <= room ? [title, ''] : halves(pen, title, 24, room),
        middle = t.y + t.h / 2;
      pen.text(x, second && t.isPhase ? middle - 13 : middle, first, 24, color, bold);
      if (second && t.isPhase) pen.text(x, middle + 15, second, 24, color, bold);
      return;
    }
    if (small && t.isPhase) {
      const [first, second] = pen.width(title, 20, true) <= room ? [title, ''] : halves(pen, title, 17, room),
        size = second ? 17 : 20;
      pen.text(x, t.y + 19, first, size, color, bold);
      const wide = figure ? pen.width(figure, 17, on) : 0;
      if (second) pen.text(x, t.y + 44, second, size, color, { bold: true, max: room - wide - 8 });
      if (figure && second) pen.text(t.x + t.w - 9, t.y + 44, figure, 17, color, right);
      else if (figure) pen.text(x, t.y + 45, figure, 18, color, { bold: on });
      return;
    }
    if (small) {
      const alone = t.port || !figure;
      pen.text(x, t.y + (alone ? t.h / 2 : 13), title, 17, color, bold);
      if (!alone) pen.text(x, t.y + t.h - 11, figure, 15, color, { bold: on });
      return;
    }
    // A long title takes the whole line, or two if there are no more words, and the figure stands below.
    const long = t.isPhase && figure && pen.width(title, 12, true) > room - 52;
    const [first, second] =
      t.isPhase && !rest && pen.width(title, 12, true) > room ? halves(pen, title, 12, room) : [title, rest || ''];
    pen.text(x, t.y + 14, first, 12, color, { bold: true, max: room - (figure && !long ? 52 : 0) });
    if (figure) pen.text(t.x + t.w - 9, t.y + (long ? 48 : 14), figure, 11, color, right);
    if (t.isPhase) pen.text(x, t.y + 31, second, rest ? 11 : 12, color, { bold: !rest, max: room });
    pen.text(x, t.y + (t.isPhase ? 48 : 29), this.second(t), 10.5, color, { max: room - (long ? 52 : 0) });
  }
  second(t) {
    if (t.port) return `${t.port}, ${bytes(t.bytes)}${t.values[0].secret ? ', secret' : ''}`;
    if (!t.isPhase) return t.sub || '';
    const s = this.state.summary(t);
    return (
      `${s.nodes} ${this.graph.level === 'ops' ? 'operation' : 'dispatch'}` +
      `${s.nodes === 1 ? '' : this.graph.level === 'ops' ? 's' : 'es'}, ${bytes(s.bytes)}`
    );
  }
  figure(t) {
    if (t.port) return '';
    const s = this.state.summary(t);
    if (this.state.isLeftOut(t)) return 'left out';
    return s.ns ? time(s.ns) : '';
  }
  fill(t, p) {
    const state = this.state;
    if (t.port || state.isLeftOut(t)) return p.back;
    const s = state.summary(t),
      v = (x, most) => mix(p.node, p.hot, most ? 0.06 + 0.64 * Math.sqrt(Math.max(0, x) / most) : 0);
    const judged = () => state.judge(t);
    switch (state.colour) {
      case 'time':
        return s.ns ? v(s.ns, state.most(t.isPhase ? 'phase' : 'ns')) : p.node;
      case 'bytes':
        return v(s.bytes, state.most(t.isPhase ? 'phaseBytes' : 'bytes'));
      case 'share':
        return judged().share === undefined ? p.node : mix(p.node, p.chosen, 0.05 + 0.6 * judged().share);
      case 'device':
        return judged().device === undefined ? p.node : category(judged().device, state.dark);
      case 'slack':
        return s.slack === undefined
          ? p.node
          : mix(p.hot, p.node, Math.min(1, 0.15 + Math.sqrt(s.slack / (state.timing.pathNs || 1)) * 1.2));
      case 'kind':
        return category(state.kindOf(t), state.dark);
      case 'lane':
        return s.lane === undefined ? p.node : category(s.lane, state.dark);
      case 'epoch':
        return s.epoch === undefined ? p.node : mix(p.node, p.chosen, 0.08 + (0.6 * s.epoch) / (state.epochs || 1));
      case 'bound':
        return judged().bound === undefined ? p.node : category(judged().bound, state.dark);
      case 'difference':
        return s.difference === undefined
          ? p.node
          : s.difference > 0
            ? mix(p.node, p.hot, Math.min(0.85, s.difference / state.most('difference')))
            : mix(p.node, '#2da44e', Math.min(0.85, -s.difference / state.most('difference')));
      default:
        return p.node;
    }
  }

  paintMinimap(left, top, right, bottom) {
    const m = this.minimap,
      c = m.getContext('2d'),
      p = palette(),
      scale = Math.min(m.width / (this.view.w + 20), m.height / (this.view.h + 20));
    const ox = (m.width - this.view.w * scale) / 2,
      oy = (m.height - this.view.h * scale) / 2;
    this.map = { scale, ox, oy };
    // It shows where one is, and covers some of the graph: it is there only if not all is seen.
    const all = left <= 0 && top <= 0 && right >= this.view.w && bottom >= this.view.h;
    m.hidden = all;
    if (all) return;
    const key =
      `${this.view.items.length},${this.state.colour},${this.state.dark}` +
      `,${this.state.chosen && this.state.chosen.id}`;
    if (this.mapKey !== key || this.mapView !== this.view) {
      this.mapPicture ||= document.createElement('canvas');
      ((this.mapPicture.width = m.width), (this.mapPicture.height = m.height));
      const d = this.mapPicture.getContext('2d');
      ((d.fillStyle = p.back), d.fillRect(0, 0, m.width, m.height));
      for (const t of this.view.items) {
        d.fillStyle = t.isPhase && t.open ? p.line : t.isPhase || !t.port ? mix(this.fill(t, p), p.edge, 0.35) : p.edge;
        if (t.isPhase && t.open)
          ((d.strokeStyle = p.line), d.strokeRect(ox + t.x * scale, oy + t.y * scale, t.w * scale, t.h * scale));
        else d.fillRect(ox + t.x * scale, oy + t.y * scale, Math.max(1, t.w * scale), Math.max(1, t.h * scale));
      }
      ((this.mapKey = key), (this.mapView = this.view));
    }
    c.drawImage(this.mapPicture, 0, 0);
    ((c.strokeStyle = p.chosen), (c.lineWidth = 1.5));
    c.strokeRect(ox + left * scale, oy + top * scale, (right - left) * scale, (bottom - top) * scale);
  }
  goMinimap(px, py) {
    ((this.x = (px - this.map.ox) / this.map.scale), (this.y = (py - this.map.oy) / this.map.scale));
    this.request();
  }

  // What is visible, as a picture.
  svg(title) {
    const s = this.zoom,
      area = { left: this.x - this.w / 2 / s, top: this.y - this.h / 2 / s };
    ((area.right = area.left + this.w / s), (area.bottom = area.top + this.h / s));
    const p = palette(),
      pen = new SvgPen(document.createElement('canvas').getContext('2d'));
    this.draw(pen, area, s, p);
    return pen.finish(area.left, area.top, this.w / s, this.h / s, p.back, title);
  }
}
