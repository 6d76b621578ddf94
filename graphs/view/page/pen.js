// SPDX-License-Identifier: Apache-2.0 OR MIT
// Drawing, to a canvas or as SVG, by the same calls.

// Pixels of a canvas per unit of the page: more on paper, which has finer ones.
export const sharpness = () =>
  document.body.classList.contains('paper') ? 3 : Math.min(globalThis.devicePixelRatio || 1, 2);

const steep = (y1, y2) => Math.sign(y2 - y1) * Math.max(14, Math.min(90, Math.abs(y2 - y1) / 2));
// A line { x1, y1, x2, y2, via } in parts: curve(x1, y1, x2, y2) and down(x, y), where it passes a layer.
function parts({ x1, y1, x2, y2, via }, curve, down) {
  let x = x1,
    y = y1;
  for (const [bx, top, bottom] of via) {
    if (bx !== x) curve(x, y, bx, top);
    (down(bx, bottom), (x = bx), (y = bottom));
  }
  curve(x, y, x2, y2);
}

export class CanvasPen {
  constructor(context) {
    this.c = context;
  }
  box(x, y, w, h, r, fill, stroke, width = 1, dash = null) {
    const c = this.c;
    c.beginPath();
    if (r) c.roundRect(x, y, w, h, r);
    else c.rect(x, y, w, h);
    if (fill) ((c.fillStyle = fill), c.fill());
    if (stroke) ((c.strokeStyle = stroke), (c.lineWidth = width), c.setLineDash(dash || []), c.stroke());
  }
  curves(list, stroke, width, dash) {
    // one path for all
    const c = this.c,
      down = (x, y) => c.lineTo(x, y),
      curve = (x1, y1, x2, y2) => {
        const s = steep(y1, y2);
        c.bezierCurveTo(x1, y1 + s, x2, y2 - s, x2, y2);
      };
    if (!list.length) return;
    c.beginPath();
    for (const line of list) (c.moveTo(line.x1, line.y1), parts(line, curve, down));
    ((c.strokeStyle = stroke), (c.lineWidth = width), c.setLineDash(dash || []));
    c.stroke();
  }
  heads(list, fill, size) {
    const c = this.c;
    c.beginPath();
    for (const { x2: x, y2: y, up } of list) {
      const tail = up ? y + size : y - size;
      (c.moveTo(x - size / 2, tail), c.lineTo(x + size / 2, tail), c.lineTo(x, y), c.closePath());
    }
    c.fillStyle = fill;
    c.fill();
  }
  text(x, y, text, size, fill, { bold = false, align = 'left', max = Infinity } = {}) {
    const c = this.c;
    c.font = font(size, bold);
    ((c.fillStyle = fill), (c.textAlign = align), (c.textBaseline = 'middle'));
    c.fillText(cut(c, text, max), x, y);
  }
  width(text, size, bold) {
    this.c.font = font(size, bold);
    return measure(this.c, text);
  }
}

const font = (size, bold) => `${bold ? '600 ' : ''}${size}px system-ui, "DejaVu Sans", Helvetica, Arial, sans-serif`;
const widths = new Map();
const measure = (c, text) => {
  const key = c.font + text;
  let w = widths.get(key);
  if (w === undefined) {
    if (widths.size > 40000) widths.clear();
    widths.set(key, (w = c.measureText(text).width));
  }
  return w;
};
function cut(c, text, max) {
  if (max === Infinity || measure(c, text) <= max) return text;
  let low = 0,
    high = text.length;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (measure(c, `${text.slice(0, mid)}…`) <= max) low = mid;
    else high = mid - 1;
  }
  return low ? `${text.slice(0, low)}…` : '';
}

const xml = (s) =>
  String(s)
    .replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c])
    // eslint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '\ufffd');
const r1 = (x) => Math.round(x * 10) / 10;

export class SvgPen {
  constructor(measurer) {
    ((this.parts = []), (this.c = measurer));
  }
  box(x, y, w, h, r, fill, stroke, width = 1, dash = null) {
    this.parts.push(
      `<rect x="${r1(x)}" y="${r1(y)}" width="${r1(w)}" height="${r1(h)}" rx="${r}" ` +
        `fill="${fill || 'none'}" stroke="${stroke || 'none'}" stroke-width="${width}` +
        `"${dash ? ` stroke-dasharray="${dash.join(' ')}"` : ''}/>`,
    );
  }
  curves(list, stroke, width, dash) {
    let d = '';
    const down = (x, y) => (d += `L${r1(x)} ${r1(y)}`),
      curve = (x1, y1, x2, y2) => {
        const s = steep(y1, y2);
        d += `C${r1(x1)} ${r1(y1 + s)} ${r1(x2)} ${r1(y2 - s)} ${r1(x2)} ${r1(y2)}`;
      };
    for (const line of list) ((d += `M${r1(line.x1)} ${r1(line.y1)}`), parts(line, curve, down));
    if (d)
      this.parts.push(
        `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}` +
          `"${dash ? ` stroke-dasharray="${dash.join(' ')}"` : ''}/>`,
      );
  }
  width(text, size, bold) {
    this.c.font = font(size, bold);
    return measure(this.c, text);
  }
  heads(list, fill, size) {
    const d = list
      .map(({ x2: x, y2: y, up }) => `M${r1(x - size / 2)} ${r1(up ? y + size : y - size)}h${size}L${r1(x)} ${r1(y)}z`)
      .join('');
    if (d) this.parts.push(`<path d="${d}" fill="${fill}"/>`);
  }
  text(x, y, text, size, fill, { bold = false, align = 'left', max = Infinity } = {}) {
    this.c.font = font(size, bold);
    const anchor = { left: 'start', center: 'middle', right: 'end' }[align];
    this.parts.push(
      `<text x="${r1(x)}" y="${r1(y)}" font-size="${size}" fill="${fill}" text-anchor="${anchor}" ` +
        `dominant-baseline="central"${bold ? ' font-weight="600"' : ''}>${xml(cut(this.c, text, max))}` +
        `</text>`,
    );
  }
  finish(x, y, w, h, back, title) {
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${r1(x)} ${r1(y)} ${r1(w)} ${r1(h)}" ` +
      `width="${Math.ceil(w)}" height="${Math.ceil(h)}" font-family="system-ui, 'DejaVu Sans', ` +
      `Helvetica, Arial, sans-serif"><title>${xml(title)}</title><rect x="${r1(x)}" y="${r1(y)}" ` +
      `width="${r1(w)}" height="${r1(h)}" fill="${back}"/>${this.parts.join('')}</svg>\n`
    );
  }
}
