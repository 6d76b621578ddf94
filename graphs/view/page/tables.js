// SPDX-License-Identifier: Apache-2.0 OR MIT
// Why is it slow, and two runs beside each other, as tables; help.
import { boundNames } from './colours.js';
import { el } from './dom.js';
import { bytes, last, share, time } from './words.js';

const MOST = 300;

function table(heads, rows, state, go) {
  return el(
    'table',
    {},
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        heads.map(([h, cls]) => el('th', { scope: 'col', class: cls }, h)),
      ),
    ),
    el(
      'tbody',
      {},
      rows.map(({ item, cells }) =>
        el(
          'tr',
          { 'aria-selected': item && state.chosen === item ? 'true' : null, onclick: () => item && go(item) },
          cells.map((c, i) =>
            el(
              'td',
              { class: i === 0 ? 'text' : heads[i][1] || null },
              i === 0 && item ? el('button', { class: 'link', type: 'button', title: item.path }, c) : c,
            ),
          ),
        ),
      ),
    ),
  );
}

export function slow(state, go) {
  const { timing, model } = state,
    steps = model.steps.steps;
  const order = steps
    .map((s, i) => i)
    .sort((a, b) => timing.gain[b] - timing.gain[a] || timing.ns[b] - timing.ns[a])
    .slice(0, MOST);
  const most = timing.gain[order[0]] || 1;
  const rows = order.map((i) => {
    const s = steps[i],
      ready = state.ready(s),
      bound = state.bound(s),
      moved = s.bytes / (timing.ns[i] || 1);
    const why =
      bound === 0
        ? `waits${ready.by ? ` (ready after ${ready.by.title})` : ''}`
        : bound === undefined
          ? '–'
          : boundNames[bound];
    return {
      item: s,
      cells: [
        s.title,
        s.phase.title,
        el(
          'span',
          {},
          el('span', { class: 'bar', style: `width:${((60 * timing.gain[i]) / most).toFixed(1)}px` }),
          ` ${time(timing.gain[i])}`,
        ),
        share(timing.gain[i], timing.pathNs),
        time(timing.ns[i]),
        time(s.step.predicted_ns),
        time(timing.slack[i]),
        timing.measured ? time(ready.wait) : '–',
        timing.measured ? `${moved.toFixed(2)}` : '–',
        why,
      ],
    };
  });
  const gap = timing.run ? timing.latency - timing.pathNs : 0;
  const whom = model.device.kind === 'cpu' ? 'workers' : 'the device';
  const rest = timing.run
    ? ` of a latency of ${time(timing.latency)}; the other ${time(gap)} is launching, copying, and waiting for ${whom}`
    : '';
  return [
    el(
      'p',
      { class: 'note' },
      `${timing.measured ? 'Measured' : 'Predicted'}: the critical path takes ${time(timing.pathNs)}` +
        `${rest}` +
        `. "Would win" is how much shorter the path is if the dispatch takes no ` +
        `time.${steps.length > MOST ? ` The first ${MOST} of ${steps.length.toLocaleString('en')}.` : ''}`,
    ),
    table(
      [
        ['Dispatch', 'text'],
        ['Phase', 'text'],
        ['Would win'],
        ['of path'],
        [timing.measured ? 'Time' : 'Predicted'],
        ['Predicted'],
        ['Slack'],
        ['Waited'],
        ['GB/s'],
        ['Bound by', 'text'],
      ],
      rows,
      state,
      go,
    ),
  ];
}

export function compare(state, go) {
  const m = state.matches;
  if (!m)
    return [
      el(
        'p',
        { class: 'note' },
        'Choose a second run above ("Compare with"). A page with two documents is made by: reprise view ' +
          'a.json b.json -o both.html',
      ),
    ];
  const signed = (x) => `${x > 0 ? '+' : ''}${time(x)}`;
  const rows = m.pairs
    .sort((x, y) => Math.abs(y.a - y.b) - Math.abs(x.a - x.b))
    .slice(0, MOST)
    .map(({ item, a, b }) => ({
      item,
      cells: [item.title, item.phase.title, time(a), time(b), signed(a - b), b ? `${(a / b).toFixed(2)}×` : '–'],
    }));
  const totals = el(
    'p',
    { class: 'note' },
    `A (${state.model.label}): ${time(state.timing.latency)}. B (${state.other.model.label}): ` +
      `${time(m.timing.latency)}. Difference ${signed(state.timing.latency - m.timing.latency)}. ` +
      `${m.pairs.length} dispatches have the same name, ${m.mine.length} are in A alone, ` +
      `${m.theirs.length} in B alone.`,
  );
  const heads = [['Dispatch', 'text'], ['Phase', 'text'], ['A'], ['B'], ['A − B'], ['A / B']];
  const rest = [
    ...m.mine.map(({ item, a }) => ({ item, cells: [item.title, item.phase.title, time(a), '–', 'A alone', ''] })),
    ...m.theirs.map((x) => ({
      item: null,
      cells: [last(x.item.path), x.item.phase.title, '–', time(x.ns), 'B alone', ''],
    })),
  ].slice(0, MOST);
  return [
    totals,
    table(heads, [...rows, ...rest], state, go),
  ];
}

export function peak(memory) {
  return memory.atPeak
    .slice(0, 3)
    .map((b) => `${b.v.name} ${bytes(b.high - b.low)}`)
    .join(', ');
}

export function help(close) {
  const keys = [
    ['/', 'search'],
    ['Enter', 'open or close a phase; next result while searching'],
    ['← →', 'the phase or node beside it in the outline'],
    ['↑ ↓', 'along an edge: to what it needs, to what needs it'],
    ['+ −', 'zoom'],
    ['0', 'show everything'],
    ['C', 'walk along the critical path'],
    ['D', 'operations or dispatches'],
    ['Z', 'the timeline: what is chosen, larger'],
    ['1 to 4', 'timeline, table, memory, comparison'],
    ['T', 'light or dark'],
    ['?', 'this page'],
    ['Esc', 'choose nothing'],
  ];
  return [
    el('h2', { id: 'help-title' }, 'How to read this page'),
    el(
      'p',
      {},
      'The graph shows what is computed. Phases open and close by a double click; what a line means is ' +
        'in the legend. Colours are by the time that a node takes, unless another is chosen. The timeline ' +
        'below shows when each dispatch ran; choosing a node in one view chooses it in all.',
    ),
    el(
      'p',
      {},
      'The critical path is the longest chain of dispatches of which each has to wait for the one before ' +
        'it. Slack is how much longer a dispatch could take without making that chain longer. "Would win" ' +
        'is how much shorter the chain would be if the dispatch took no time: this is where work pays.',
    ),
    el(
      'p',
      {},
      'A dispatch is said to be bound by launching if it takes only a few microseconds, by memory if it ' +
        'moves more than half of the bytes per second that the planner assumes for the device, and to wait ' +
        'for others if it began later after it could have than it took; else by arithmetic. On several ' +
        'workers, a time is from the first worker that begins to the last that ends.',
    ),
    el('h3', {}, 'Keys'),
    el(
      'table',
      {},
      el(
        'tbody',
        {},
        keys.map(([k, what]) => el('tr', {}, el('td', {}, el('kbd', {}, k)), el('td', {}, what))),
      ),
    ),
    el(
      'p',
      {},
      'The address of the page holds the view: copy it to show somebody what you see. Nothing is sent anywhere.',
    ),
    el('button', { type: 'button', onclick: close }, 'Close'),
  ];
}
