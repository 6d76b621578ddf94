// SPDX-License-Identifier: Apache-2.0 OR MIT
// What is known of the chosen phase or node.
import { boundNames } from './colours.js';
import { el } from './dom.js';
import { describeValue } from './model.js';
import { answer, because, byWin } from './tables.js';
import { bytes, count, encoding, meaning, rate, share, time } from './words.js';

const link = (item, go, text = item.title) =>
  el('button', { class: 'link', type: 'button', onclick: () => go(item) }, text);
const rows = (pairs) =>
  el(
    'dl',
    {},
    pairs
      .filter((p) => p && p[1] !== null && p[1] !== undefined && p[1] !== '')
      .flatMap(([k, v, cls]) => [el('dt', {}, k), el('dd', cls ? { class: cls } : {}, v)]),
  );

const MOST = 24;
function some(title, list, make) {
  if (!list.length) return null;
  const more = list.length - MOST;
  return [
    el('h3', {}, `${title} (${list.length})`),
    el(
      'ul',
      {},
      list.slice(0, MOST).map((x) => el('li', {}, make(x))),
      more > 0 ? el('li', { class: 'soft' }, `and ${more} more`) : null,
    ),
  ];
}

function placement(model, v) {
  const placed = model.steps && model.steps.values.get(v.id);
  return placed
    ? (placed.segments || [])
        .map((s) => `${placed.space}, block ${s.block}, offset ${s.offset.toLocaleString('en')}`)
        .join('; ')
    : '';
}
const valueLine = (model, v) => {
  const where = placement(model, v);
  const how = [encoding(v.type), where].filter(Boolean).join('; ');
  return [describeValue(v), v.secret ? ', secret' : '', how ? el('div', { class: 'soft' }, how) : null];
};

// How much shorter the path would be.
function wins(state, step, gain) {
  const whole = state.timing.pathNs,
    w = state.work(step),
    all = `${time(gain)} (${share(gain, whole)} of the path) if it took no time`;
  return w.floor ? `${time(w.win)} (${share(w.win, whole)}) at its ceiling, ${all}` : all;
}

function figures(state, item) {
  const s = state.summary(item),
    t = state.timing,
    steps = state.stepsOf(item);
  if (!steps.length) return null;
  const gain = steps.length === 1 ? t.gain[steps[0].index] : undefined,
    on = state.onPath(item);
  return rows([
    [t.measured ? 'time' : 'predicted', `${time(s.ns)}${steps.length > 1 ? ` in ${steps.length} dispatches` : ''}`],
    ['on the critical path', on ? 'yes' : 'no', on ? 'critical' : ''],
    ['runs if', state.model.conditions(item)],
    state.isLeftOut(item) ? ['in this run', 'left out: its condition did not hold'] : null,
    ['slack', time(s.slack)],
    gain !== undefined ? ['would win', wins(state, steps[0], gain)] : null,
    state.matches && s.difference !== undefined
      ? ['in the other run', `${time(s.ns - s.difference)} (${s.difference > 0 ? '+' : ''}${time(s.difference)} here)`]
      : null,
  ]);
}

const ratio = (a, b) => (b ? `${(a / b).toFixed(2)}×` : '–');

// Workers or queues that took part, and the device.
function placesOf(state, item) {
  const { model } = state,
    list = state.parts(item),
    device = model.deviceOf(item),
    name = device.kind === 'cpu' ? 'worker' : 'queue',
    each = list.map((p) => (list.length > 1 ? `${p.lane} (${time(p.ns)})` : p.lane)),
    which = model.devices.length > 1 ? `device ${model.deviceIndex(item)}, ` : '';
  return `${name}${list.length > 1 ? 's' : ''} ${each.join(', ')} of ${which}${device.name}`;
}

function stepDetails(state, item, go) {
  const s = item.step,
    t = state.timing,
    ready = state.ready(item),
    i = item.index,
    w = state.work(item);
  const against = (name, amount, busy, part) =>
    t.measured && amount && busy
      ? [name, `${rate(amount / busy)}${part === undefined ? '' : `, ${Math.round(100 * part)}% of the ceiling`}`]
      : null;
  const values = state.model.steps.values;
  const touched = (mode) =>
    s.touches
      .filter((u) => u.access.includes(mode))
      .map((u) => [u, values.get(u.value)])
      .filter((x) => x[1]);
  const touchLine = ([u, v]) => [
    `${v.name}: ` +
      `${u.count === v.len ? count(v.len) : `${u.count.toLocaleString('en')} of ${count(v.len)}`} × ` +
      `${v.type}, ${bytes((u.count * v.bytes) / v.len)}`,
    el('div', { class: 'soft' }, [encoding(v.type), placement(state.model, v)].filter(Boolean).join('; ')),
  ];
  return [
    rows([
      ['kernel', s.kernel],
      ['does', meaning(s.kernel)],
      ['operation', s.op],
      ['strategy', s.strategy],
      [
        'grid',
        s.groups
          .filter((g, k) => g > 1 || k === 0)
          .map((g) => g.toLocaleString('en'))
          .join(' × '),
      ],
      ['level, epoch', `${s.level}, ${s.epoch}`],
      ['reads, writes', `${bytes(s.read_bytes)}, ${bytes(s.written_bytes)}`],
      [state.bound(item) ? 'bound by' : 'is', state.verdict(item)],
      against('products per second', w.products, w.busy, w.productsShare),
      against('bytes per second', w.bytes, w.busy, w.bytesShare),
      t.measured && w.floor ? ['at its ceiling', time(w.floor)] : null,
      t.measured ? ['predicted', `${time(s.predicted_ns)} (measured ${ratio(t.ns[i], s.predicted_ns)})`] : null,
      t.run && !t.skipped.has(i) ? ['ran on', placesOf(state, item)] : null,
      s.median_ns ? ['median', time(s.median_ns)] : null,
      t.run && !t.skipped.has(i) ? ['began', `${time(t.run.begin_ns[i])} after submission`] : null,
      t.run && !t.skipped.has(i)
        ? [
            'waited',
            ready.by ? [`${time(ready.wait)} after `, link(ready.by, go)] : `${time(ready.wait)} after submission`,
          ]
        : null,
    ]),
    some('Waits for', s.waits || [], (w) => {
      const other = state.model.steps.steps[w.for],
        why = (w.why || [])[0];
      const v = why && values.get(why.value),
        o = why && values.get(why.other);
      const words = !why
        ? ''
        : why.kind === 'data'
          ? `for ${v ? v.name : 'data'}`
          : why.kind === 'memory'
            ? `memory: ${v ? v.name : '?'} takes bytes of ${o ? o.name : '?'}`
            : `order of uses of ${v ? v.name : '?'}`;
      return [link(other, go), el('div', { class: 'soft' }, words)];
    }),
    some('Reads', touched('r'), touchLine),
    some('Writes', touched('w'), touchLine),
  ];
}

export function details(state, item, go, zoom) {
  if (!item) return [el('h2', {}, state.model.name), overview(state, go)];
  const path = el('div', { class: 'soft' }, item.path || state.model.name);
  const parts = [el('h2', {}, item.title), path];
  if (item.port)
    return [
      ...parts,
      rows([['is', item.port]]),
      some('Value', item.values, (v) => valueLine(state.model, v)),
      some('Used by', item.outs, (e) => link(e.to, go)),
      some('From', item.ins, (e) => link(e.from, go)),
    ];
  parts.push(figures(state, item));
  if (state.timing.measured && state.stepsOf(item).length)
    parts.push(
      el('button', { type: 'button', title: 'Or press Z', onclick: () => zoom(item) }, 'Zoom the timeline to it'),
    );
  if (item.isPhase) {
    const s = state.summary(item);
    parts.push(
      rows([
        ['holds', `${s.nodes.toLocaleString('en')} ${state.level === 'ops' ? 'operations' : 'dispatches'}`],
        ['bytes', bytes(s.bytes)],
      ]),
    );
    const inner = item.children
      .filter((c) => !c.port)
      .map((c) => [c, state.summary(c).ns])
      .sort((a, b) => b[1] - a[1]);
    parts.push(some('Slowest first', inner, ([c, ns]) => [link(c, go), ` ${time(ns)}`]));
  } else if (item.step) {
    parts.push(stepDetails(state, item, go));
  } else {
    parts.push(
      rows([
        ['operation', item.node.op],
        ['does', meaning(item.node.op)],
        ['parameters', item.node.params],
        ['strategy', item.steps[0] && item.steps[0].step.strategy],
      ]),
    );
    parts.push(
      some('Inputs', item.inValues, (v) => valueLine(state.model, v)),
      some('Results', item.outValues, (v) => valueLine(state.model, v)),
      some('Dispatches', item.steps, (s) => [link(s, go), ` ${time(state.timing.ns[s.index])}`]),
    );
  }
  return parts.flat(3);
}

// What bounds the slowest dispatch of an operation.
function boundOf(state, operation) {
  const { bound } = state.judge(operation);
  return bound === undefined ? '' : `, ${bound === 0 ? 'waiting' : `bound by ${boundNames[bound]}`}`;
}

const workersOf = (model) => model.devices.reduce((sum, d) => sum + (d.workers || 0), 0);

function overview(state, go) {
  const { model, timing } = state,
    plan = model.recording && model.recording.plan;
  let longest = null,
    most = 0;
  for (const node of model.steps ? model.ops.nodes : []) {
    const ns = node.port ? 0 : state.summary(node).ns;
    if (ns > most) ((longest = node), (most = ns));
  }
  const gains = (model.steps ? byWin(state) : [])
    .slice(0, 5)
    .map((s) => [state.work(s).win, s])
    .filter((x) => x[0] > 0);
  return el(
    'div',
    {},
    gains.length ? el('p', { class: 'answer' }, answer(state)) : null,
    gains.length ? el('p', { class: 'soft' }, because(state)) : null,
    rows([
      [
        'device',
        model.devices.length
          ? `${model.deviceNames.join(', ')} (${model.devices[0].kind}` +
            `${model.devices[0].kind === 'cpu' ? `, ${workersOf(model)} workers` : ''})`
          : 'not recorded',
      ],
      ['label', model.document.label],
      ['operations', model.ops.nodes.filter((n) => !n.port).length.toLocaleString('en')],
      plan ? ['dispatches', `${plan.dispatches.toLocaleString('en')} in ${plan.levels} levels`] : null,
      plan
        ? [
            'memory',
            `${bytes(plan.total_bytes)}: arena ${bytes(plan.arena_bytes)}, constants ${bytes(plan.constant_bytes)}` +
              `${plan.borrowed_bytes ? `; and ${bytes(plan.borrowed_bytes)} read where the caller has them` : ''}`,
          ]
        : null,
      timing.run ? ['latency', time(timing.latency)] : null,
      timing.skipped.size
        ? ['left out', `${timing.skipped.size.toLocaleString('en')} dispatches, whose conditions did not hold`]
        : null,
      longest
        ? [
            'longest operation',
            [link(longest, go), ` of "${longest.phase.title}", ${time(most)}${boundOf(state, longest)}`],
          ]
        : null,
      plan
        ? [
            timing.measured ? 'critical path' : 'predicted path',
            `${time(timing.pathNs)} in ${timing.path.length} dispatches`,
          ]
        : null,
    ]),
    gains.length
      ? [
          el('h3', {}, 'What to make faster'),
          el(
            'ul',
            {},
            gains.map(([g, s]) => {
              const why = state.verdict(s),
                bound = why && `${state.bound(s) ? 'bound by ' : ''}${why}`;
              return el(
                'li',
                {},
                link(s, go),
                el('div', { class: 'soft' }, s.phase.title),
                el(
                  'div',
                  { class: 'soft' },
                  `${bound ? `${bound}; ` : ''}wins ${time(g)} (${share(g, timing.pathNs)})`,
                ),
              );
            }),
          ),
        ]
      : null,
    el('p', { class: 'soft ask' }, 'Choose a phase or a node to see its figures.'),
  );
}
