// SPDX-License-Identifier: Apache-2.0 OR MIT
// Why is it slow, and two runs beside each other, as tables; help.
import { el } from './dom.js';
import { last, rate, share, time } from './words.js';

const MOST = 300;
// Of longer tables, page.css hides rows on paper.
const ON_PAPER = 100;
const onPaper = (rows) =>
  rows.length > ON_PAPER ? el('p', { class: 'note only-paper' }, `Printed: the first ${ON_PAPER} rows.`) : null;

function table(heads, rows, state, go) {
  return el(
    'table',
    { class: rows.some((r) => r.phase) ? 'slow' : null },
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
      rows.map(({ item, cells, phase }) =>
        el(
          'tr',
          {
            'data-id': item && item.id,
            'aria-selected': item && state.chosen === item ? 'true' : null,
            onclick: () => item && go(item),
          },
          cells.map((c, i) =>
            el(
              'td',
              { class: i === 0 ? 'text' : heads[i][1] || null, 'data-phase': i === 0 ? phase : null },
              i === 0 && item ? el('button', { class: 'link', type: 'button', title: item.path }, c) : c,
            ),
          ),
        ),
      ),
    ),
  );
}

const times = (x) => `${x < 100 ? x.toFixed(2) : Math.round(x).toLocaleString('en')}×`;
const percent = (x) => (x === undefined ? '' : ` (${Math.round(100 * x)}%)`);

function slowRow(state, s, most) {
  const { timing } = state,
    i = s.index,
    w = state.work(s),
    run = timing.measured;
  const bar = el('span', { class: 'bar', style: `width:${((40 * w.win) / most).toFixed(1)}px` });
  const verdict = timing.skipped.has(i) ? 'left out' : state.verdict(s),
    phase = s.phase.title.split(': ')[0];
  return {
    item: s,
    phase,
    cells: [
      s.title,
      el('span', { title: s.phase.title }, phase),
      el('span', {}, bar, ` ${time(w.win)}`),
      share(w.win, timing.pathNs),
      el('span', { class: 'cut', title: verdict || null }, verdict || '–'),
      time(timing.ns[i]),
      run && w.floor ? time(w.floor) : '–',
      run && w.products ? `${rate(w.products / w.busy)}${percent(w.productsShare)}` : '–',
      run && w.bytes ? `${rate(w.bytes / w.busy)}${percent(w.bytesShare)}` : '–',
      time(timing.slack[i]),
      run ? time(state.ready(s).wait) : '–',
      `${time(s.step.predicted_ns)}` +
        `${run && s.step.predicted_ns ? ` (${times(timing.ns[i] / s.step.predicted_ns)})` : ''}`,
    ],
  };
}

const ceilingsText = (model) => {
  const c = model.ceilings;
  if (!c) return '';
  const rates = Object.entries(c.products_per_s).map(
    ([field, r]) => `${rate(r / 1e9)} products per second in ${field}`,
  );
  const all = [...rates, `${rate(c.bytes_per_s / 1e9)}B per second`];
  return ` Ceilings measured on ${model.deviceNames.join(', ')}: ${all.join(', ')}.`;
};

// The dispatches that are worth most work, first.
export const byWin = (state) =>
  [...state.model.steps.steps].sort(
    (a, b) => state.work(b).win - state.work(a).win || state.timing.ns[b.index] - state.timing.ns[a.index],
  );

// In a sentence: which dispatch holds up the whole most, and what bounds it.
export function answer(state) {
  const [first] = byWin(state);
  if (!first) return '';
  const verdict = state.verdict(first),
    bound = state.bound(first),
    why = { undefined: '', 0: `, ${verdict}`, 4: ', bound by what is not known' }[bound] ?? `, bound by ${verdict}`,
    how = state.timing.measured ? 'Slowest for the whole' : 'Predicted to be the slowest for the whole';
  return `${how}: ${first.title} of "${first.phase.title}"${why}, ${time(state.timing.ns[first.index])}.`;
}

// What the verdict on that dispatch means, with its figures.
export function because(state) {
  const [first] = byWin(state);
  if (!first || !state.timing.measured) return '';
  const uneven = state.uneven(first);
  if (uneven && [undefined, 3, 4].includes(state.bound(first)))
    return (
      `One worker took ${time(uneven.longest)}, ${uneven.workers > 2 ? 'the others on average' : 'the other'} ` +
      `${time(uneven.others)}: the work is uneven, or another program had its processor. Measure again to tell.`
    );
  const w = state.work(first),
    part = (x) => (x === undefined ? 'an unknown part' : `${Math.round(100 * x)}%`);
  switch (state.bound(first)) {
    case 1:
      return `It multiplies at ${part(w.productsShare)} of what the device can: only fewer products make it faster.`;
    case 2:
      return `It moves bytes at ${part(w.bytesShare)} of what the memory can: only fewer bytes make it faster.`;
    case 3:
      return (
        `Neither multiplier (${part(w.productsShare)} of its ceiling) nor memory (${part(w.bytesShare)}) is busy: ` +
        'there is too little work at once, or steps need each other, or accesses are scattered.'
      );
    case 0:
      return 'It could have begun earlier, had there been room for it on the device.';
    default:
      return '';
  }
}

export function slow(state, go) {
  const { timing, model } = state,
    steps = model.steps.steps;
  const order = byWin(state).slice(0, MOST);
  const most = (order[0] && state.work(order[0]).win) || 1;
  const gap = timing.run ? timing.latency - timing.pathNs : 0;
  const whom = model.devices[0].kind === 'cpu' ? 'workers' : model.devices.length > 1 ? 'the devices' : 'the device';
  const rest = timing.run
    ? ` of a latency of ${time(timing.latency)}; the other ${time(gap)} is launching, copying, and waiting for ${whom}`
    : '';
  const note =
    `${timing.measured ? 'Measured' : 'Predicted'}: the critical path takes ${time(timing.pathNs)}${rest}.` +
    `${timing.measured ? ceilingsText(model) : ''} "Would win" is how much shorter the path is if the dispatch ` +
    `${model.ceilings && timing.measured ? 'ran at its ceiling' : 'took no time'}.` +
    `${steps.length > MOST ? ` The first ${MOST} of ${steps.length.toLocaleString('en')}.` : ''}`;
  const heads = [
    ['Dispatch', 'text'],
    ['Phase', 'text'],
    ['Would win'],
    ['of path'],
    ['Bound by', 'text'],
    [timing.measured ? 'Time' : 'Predicted'],
    ['At ceiling'],
    ['Products/s'],
    ['Bytes/s'],
    ['Slack'],
    ['Waited'],
    ['Predicted'],
  ];
  return [
    el('p', { class: 'note' }, el('b', {}, `${answer(state)} `), note),
    onPaper(order) || '',
    table(
      heads,
      order.map((s) => slowRow(state, s, most)),
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
        'Two runs stand here beside each other if the page holds two, one of which is chosen above at "Compare". ' +
          'To make such a page, write each run to a file, as in: reprise view KEY WITNESS -o a.json, and then both ' +
          'to one page: reprise view a.json b.json -o both.html',
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
  return [totals, onPaper([...rows, ...rest]) || '', table(heads, [...rows, ...rest], state, go)];
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
    ['Shift and arrows', 'move the graph'],
    ['← → + − 0', 'with the focus below: move and zoom the timeline, or another time of memory'],
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
        'is how much shorter the chain would be if the dispatch ran at its ceiling (without ceilings: if it took no ' +
        'time): this is where work pays. In tables, percentages are shares of the ceilings.',
    ),
    el(
      'p',
      {},
      'Ceilings are what the device did in small tests of its own: products in registers, bytes of a copy from ' +
        'memory, so that data in caches may move faster; what seems to move four times as fast, or to multiply twice ' +
        'as fast, did not touch all of its values, or met zeros. A dispatch is bound by the multiplier or by memory ' +
        'if it reaches half of that ceiling or more; it waits if it began later after it could have than it took; ' +
        'else it is bound by latency: steps that need each other, scattered accesses, too little work at once, or ' +
        'launching. Products are counted for random data, so that a witness with zeros needs fewer; for kernels ' +
        'that are not counted, it may be not known what bounds them. On several ' +
        'workers, a time is from the first worker that begins to the last that ends, and rates count the time that ' +
        'workers were busy.',
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
