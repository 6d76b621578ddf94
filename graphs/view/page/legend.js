// SPDX-License-Identifier: Apache-2.0 OR MIT
// What lines and colours mean, for the graph and for what is below it.
import { boundNames, category } from './colours.js';
import { el } from './dom.js';
import { OTHERS } from './state.js';
import { bytes, plain, share } from './words.js';

const line = (style, text) => el('span', {}, el('i', { style }), text);
const ramps = {
  time: ['less time', 'more'],
  bytes: ['fewer bytes', 'more'],
  slack: ['much slack', 'none'],
  share: ['far from its ceiling', 'at it'],
  epoch: ['early', 'late'],
  difference: ['faster', 'slower'],
};
function ramp(colour) {
  const [low, high] = ramps[colour],
    to = ['epoch', 'share'].includes(colour) ? 'var(--chosen)' : 'var(--hot)',
    from = colour === 'difference' ? '#2da44e,' : '';
  return el(
    'span',
    {},
    low,
    el('span', { class: 'ramp', style: `background:linear-gradient(90deg,${from}var(--node),${to})` }),
    high,
  );
}
const swatch = (state, i, text) =>
  el('span', {}, el('span', { class: 'box', style: `background:${category(i, state.dark)}` }), text);

// Colours of things of which the heaviest have one of their own. totals: name, weight; ranks: name, colour.
function ranked(state, totals, ranks) {
  const whole = [...totals.values()].reduce((a, b) => a + b, 0);
  const parts = [];
  let rest = 0;
  for (const [name, i] of [...ranks].sort((a, b) => a[1] - b[1]))
    if (i < OTHERS)
      parts.push(swatch(state, i, `${plain(name)}${whole ? `, ${share(totals.get(name) || 0, whole)}` : ''}`));
    else rest += totals.get(name) || 0;
  if (ranks.size > OTHERS) parts.push(swatch(state, OTHERS, `all others${whole ? `, ${share(rest, whole)}` : ''}`));
  return parts;
}

// Shares of the time of all dispatches.
function operations(state) {
  const totals = new Map();
  for (const s of state.model.steps ? state.model.steps.steps : []) {
    const name = s.node ? s.node.op : s.title;
    totals.set(name, (totals.get(name) || 0) + (state.timing.ns[s.index] || 0));
  }
  return ranked(state, totals, state.kinds);
}

// The meaning of colours that are names, not amounts.
function swatches(state) {
  const { devices } = state.model;
  if (state.colour === 'bound') return boundNames.map((text, i) => swatch(state, i, text));
  if (state.colour === 'device')
    return devices
      .slice(0, 10)
      .map((d, i, all) => swatch(state, i, all.length > 1 ? `device ${i}: ${d.name}` : d.name));
  if (state.colour === 'lane') {
    const first = (devices[0] || {}).kind === 'cpu' ? 'worker' : 'queue',
      lanes = [...new Set([...state.lanes.values()].map((l) => l.lane))].sort((a, b) => a - b);
    return [
      ...lanes.slice(0, 10).map((l) => swatch(state, l, `${first} ${l}`)),
      ...(lanes.length > 10 ? ['and again from the first'] : []),
    ];
  }
  return state.colour === 'kind' ? operations(state) : [];
}

export function legendOf(state) {
  const parts = [line('', 'data')];
  if (state.path && state.timing.path.length)
    parts.push(line('border-top-color:var(--path);border-top-width:3px', 'critical path'));
  if (state.memory) parts.push(line('border-top-style:dashed', 'memory order'));
  if (state.constants) parts.push(line('border-top-style:dotted', 'constants'));
  if (state.timing.skipped.size)
    parts.push(line('border:1px dashed;height:9px;width:14px', 'left out: its condition did not hold'));
  if (ramps[state.colour]) parts.push(ramp(state.colour));
  parts.push(...swatches(state));
  if (state.colour === 'share' && !state.model.ceilings) parts.push('no ceilings were measured');
  return parts;
}

export const byName = (colour) => ['bound', 'device', 'lane'].includes(colour);

// Of the timeline, which has the graph's colours if these are names; of memory, whose colours are phases.
export function keyOf({ tab, state, memory }) {
  if (tab === 'timeline')
    return [
      ...(byName(state.colour) ? swatches(state) : operations(state)),
      state.timing.run ? 'beside a lane: the part of the latency in which it works' : null,
    ].filter(Boolean);
  if (tab === 'memory' && memory.totals)
    return [
      `Arena ${bytes(memory.size)}, of which values hold ${bytes(memory.peak)} at the peak.`,
      line('border-top-color:var(--path)', 'sum of values'),
      'Values by phase:',
      ...ranked(state, memory.totals, memory.phases),
    ];
  return [];
}
