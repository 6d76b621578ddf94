// SPDX-License-Identifier: Apache-2.0 OR MIT
// What nodes are coloured by.

export const palette = () => {
  const style = getComputedStyle(document.documentElement);
  const get = (name) => style.getPropertyValue(`--${name}`).trim();
  return Object.fromEntries(
    ['back', 'side', 'line', 'text', 'soft', 'phase', 'node', 'edge', 'path', 'chosen', 'hit', 'cool', 'hot'].map(
      (n) => [n, get(n)],
    ),
  );
};
const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
export const mix = (a, b, t) => {
  const x = rgb(a),
    y = rgb(b);
  return `#${x
    .map((v, i) =>
      Math.round(v + (y[i] - v) * t)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
};
const light = [
  '#cfe8ff',
  '#ffe3b3',
  '#d3f2cf',
  '#f9d3e6',
  '#e3dcff',
  '#c9f0ee',
  '#f5e0c9',
  '#e1e6ea',
  '#fbd0c8',
  '#dcefb4',
];
const dark = [
  '#12395c',
  '#56400f',
  '#1d4a22',
  '#571f3f',
  '#362c6b',
  '#0f4a48',
  '#553517',
  '#343d47',
  '#5c241b',
  '#3c4f12',
];
export const category = (i, isDark) => (isDark ? dark : light)[((i % 10) + 10) % 10];
// The contrast of two colours, by WCAG 2.1.
const luminance = (colour) => {
  const [r, g, b] = rgb(colour).map((v) => {
    const s = v / 255;
    return s <= 0.03928 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
export const contrast = (a, b) => {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
};
// The ink that can be read on a colour: of black and white one always can.
export const ink = (fill) => ['#1f2328', '#ffffff', '#000000'].find((c) => contrast(c, fill) >= 4.5);
export const boundNames = ['waiting', 'multiplier', 'memory', 'latency', 'not known'];
export const modes = [
  ['time', 'time'],
  ['slack', 'slack'],
  ['share', 'share of ceiling'],
  ['bytes', 'bytes'],
  ['kind', 'operation'],
  ['lane', 'queue or worker'],
  ['device', 'device'],
  ['epoch', 'epoch'],
  ['bound', 'what bounds it'],
  ['difference', 'difference'],
  ['none', 'nothing'],
];
