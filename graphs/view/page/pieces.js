// SPDX-License-Identifier: Apache-2.0 OR MIT
// A group of devices: its recording consists of pieces, each a recording of one device with numbers of its own. Here
// they become one recording with one numbering, and its runs one run.
import { criticalPath } from './critical.js';

const list = (x) => (Array.isArray(x) ? x : []);
const isRun = (s) => s.part === 'run';

// Where the numbers of each piece begin.
function bases(document, pieces) {
  let value = list(document.graph.values).reduce((most, v) => Math.max(most, v.id), 0),
    block = 0,
    step = 0;
  return pieces.map(({ recording }) => {
    const base = { value, block, step };
    const ids = [...list(recording.values), ...list(recording.aliases), ...list(recording.fused)];
    value += ids.reduce((most, v) => Math.max(most, v.id), 0);
    block += list(recording.blocks).length;
    step += list(recording.steps).filter(isRun).length;
    return base;
  });
}

// The steps of a piece that write a value, and those that no other one of the piece waits for.
const writersOf = (piece, id) =>
  piece.steps.filter((s) => list(s.touches).some((t) => t.value === id && t.access.includes('w')));
function lastOf(piece) {
  const needed = new Set(piece.steps.flatMap((s) => list(s.preds)));
  return piece.steps.filter((s) => !needed.has(s.step));
}

// Adds what a step of a piece waits for in others: for what it reads there; and, if it is among the first of its piece,
// for all of the pieces that this one follows.
function connect(step, own, piece, all) {
  const preds = new Set(step.preds),
    waits = [...step.waits];
  for (const input of list(piece.inputs)) {
    const from = all[input.piece];
    if (!from || !own.touches.some((t) => t.value === input.value && t.access.includes('r'))) continue;
    for (const w of writersOf(from, input.source)) {
      preds.add(w.step + from.base.step);
      const why = { kind: 'data', value: input.value + piece.base.value, other: input.source + from.base.value };
      waits.push({ for: w.step + from.base.step, why: [why] });
    }
  }
  if (!list(own.preds).length)
    for (const k of list(piece.after)) for (const s of lastOf(all[k])) preds.add(s.step + all[k].base.step);
  return { ...step, preds: [...preds].sort((a, b) => a - b), waits };
}

function stepOf(s, piece, nodeIds) {
  const { base } = piece,
    value = (v) => v + base.value;
  return {
    ...s,
    step: s.step + base.step,
    device: piece.device,
    node_id: nodeIds.get(s.node || (s.label || '').replace(/^bind in /, '')),
    preds: list(s.preds).map((p) => p + base.step),
    touches: list(s.touches).map((t) => ({ ...t, value: value(t.value) })),
    waits: list(s.waits).map((w) => ({
      for: w.for + base.step,
      why: list(w.why).map((y) => ({ ...y, value: value(y.value), other: value(y.other) })),
    })),
  };
}

// What comes from other pieces, or goes to them, is no input or output of the whole.
function valueOf(v, piece, results, named) {
  const { base } = piece,
    comes = list(piece.inputs).find((i) => i.value === v.id),
    space = comes
      ? comes.piece === null
        ? 'input'
        : 'arrival'
      : v.space === 'output' && !results.has(v.id)
        ? 'kept'
        : v.space;
  return {
    ...v,
    id: v.id + base.value,
    space,
    name: results.get(v.id) || (space === 'input' && comes && named.get(comes.source)) || v.name,
    segments: list(v.segments).map((s) => ({ ...s, block: s.block + base.block })),
  };
}

// When the times of a piece begin. Devices count from their part of the submission, which is a little later than when
// it was asked for: enough later that nothing began before what it waits for in other pieces had ended.
function shiftOf(part, piece, steps, ends) {
  let shift = part.submitted_ns || 0;
  list(part.begin_ns).forEach((begin, i) => {
    for (const p of steps[piece.base.step + i].preds) if (p < piece.base.step) shift = Math.max(shift, ends[p] - begin);
  });
  return shift;
}

function runOf(run, pieces, steps) {
  const all = { spans: [], begin_ns: [], end_ns: [] };
  pieces.forEach((piece, k) => {
    const part = list(run.pieces)[k] || {},
      shift = shiftOf(part, piece, steps, all.end_ns);
    for (const [step, lane, begin, end] of list(part.spans))
      all.spans.push([step < 0 ? step : step + piece.base.step, lane, begin + shift, end + shift]);
    for (const key of ['begin_ns', 'end_ns']) all[key].push(...list(part[key]).map((t) => (t ? t + shift : 0)));
  });
  const ns = steps.map((_, i) => Math.max(0, all.end_ns[i] - all.begin_ns[i]) || 0);
  return {
    ...run,
    ...all,
    ...criticalPath(
      steps.map((s) => s.preds),
      ns,
    ),
  };
}

export function joinPieces(document) {
  const whole = document.recording;
  if (!whole || !list(whole.pieces).length) return document;
  const at = bases(document, whole.pieces),
    pieces = whole.pieces.map((p, k) => ({ ...p, base: at[k], steps: list(p.recording.steps).filter(isRun) })),
    nodeIds = new Map(list(document.graph.nodes).map((n) => [n.name, n.id])),
    named = new Map(list(document.graph.values).map((v) => [v.id, v.name])),
    names = new Map(list(document.graph.values).map((v) => [v.id, v.output])),
    steps = [],
    values = [],
    blocks = [];
  pieces.forEach((piece, k) => {
    const mine = list(whole.results).filter((r) => r.piece === k),
      results = new Map(mine.map((r) => [r.source, names.get(r.value) || `value ${r.value}`]));
    for (const s of piece.steps) steps.push(connect(stepOf(s, piece, nodeIds), s, piece, pieces));
    for (const v of list(piece.recording.values)) values.push(valueOf(v, piece, results, named));
    for (const b of list(piece.recording.blocks))
      blocks.push({ ...b, block: b.block + piece.base.block, device: piece.device });
  });
  return {
    ...document,
    recording: { ...whole, steps, values, blocks, aliases: [], fused: [] },
    predicted: criticalPath(
      steps.map((s) => s.preds),
      steps.map((s) => s.predicted_ns || 0),
    ),
    runs: list(document.runs).map((r) => runOf(r, pieces, steps)),
  };
}
