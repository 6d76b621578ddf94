// SPDX-License-Identifier: Apache-2.0 OR MIT
// Documents for the tests: one of 10,000 dispatches, one whose names try to be markup, one whose verdicts are known,
// one of a group of devices, one that left out a branch. node make.mjs FOLDER
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { large } from './large.mjs';

const [folder] = process.argv.slice(2),
  evil = '</script><img src=x onerror="hacked=1">';
writeFileSync(join(folder, 'large.json'), JSON.stringify(large(10000)));
const hostile = large(60);
hostile.label = hostile.graph.name = evil;
for (const s of hostile.graph.scopes) s.name = s.title = evil;
for (const v of [...hostile.graph.values, ...hostile.recording.values]) v.name = v.type = evil;
for (const n of hostile.graph.nodes) n.op = n.params = evil;
for (const s of hostile.recording.steps) s.kernel = s.label = evil;
hostile.recording.device.name = evil;
// Dispatches of which it is known what bounds them: at a ceiling of 10^11 products and 10^12 bytes a second, a
// transform of 2^16 elements takes 5,243 ns, and moving its 4 MiB 4,194 ns.
const known = large(8),
  [run] = known.runs,
  times = [
    [0, 6000, 'ntt_pass'],
    [0, 5000, 'vec_add'],
    [0, 50000, 'ntt_pass'],
    [100000, 106000, 'ntt_pass'],
    [0, 9000, 'own_kernel'],
    [0, 900, 'vec_add'], // too fast to have moved all of it
    [0, 2000, 'ntt_pass'], // and to have multiplied all of it
  ];
known.label = 'known';
known.ceilings = { bytes_per_s: 1e12, products_per_s: { bn254_fr: 1e11 } };
known.points = [
  { memory_level: 0, predicted_ns: 40000, arena_bytes: 20 * 2097152, dispatches: 8, total_bytes: 21 * 2097152 },
  { memory_level: 1, predicted_ns: 50000, arena_bytes: 10 * 2097152, dispatches: 16, total_bytes: 11 * 2097152 },
];
times.forEach(([begin, end, kernel], i) => {
  ((run.begin_ns[i] = begin), (run.end_ns[i] = end));
  const step = known.recording.steps[i];
  ((step.kernel = `${kernel}.bn254_fr`), (run.spans[i] = [i, 0, begin, end]));
  if (kernel === 'vec_add') ((step.products = 0), delete step.field);
  if (kernel === 'own_kernel') (delete step.products, delete step.field);
});
known.recording.steps[3].preds = [2];
known.recording.steps[3].waits = [{ for: 2, why: [{ kind: 'memory', value: 5, other: 4 }] }];
Object.assign(run, { path: [2, 3], path_ns: 56000, latency_ns: 110000 });
run.gain_ns = [0, 0, 50000, 6000, 0, 0, 0, 0];
writeFileSync(join(folder, 'known.json'), JSON.stringify(known));
// A group of two devices, which take turns; the last dispatch names one that is not there.
const group = large(96);
group.label = 'group';
group.recording.devices = [0, 1].map((index) => ({ kind: 'cuda', index, name: 'a device', workers: 132 }));
group.recording.steps.forEach((s, i) => (s.device = i === 95 ? 7 : Math.floor(i / 8) % 2));
writeFileSync(join(folder, 'group.json'), JSON.stringify(group));
// The first two dispatches were left out, and one of two workers took most of the third.
const branches = large(8),
  [left] = branches.runs,
  condition = [{ value: 1, is: 'not 0' }];
branches.label = 'branches';
branches.recording.device = { kind: 'cpu', index: 0, name: 'a device', workers: 2 };
for (const i of [0, 1]) {
  ((branches.graph.nodes[i].if = condition), (branches.recording.steps[i].if = condition));
  left.begin_ns[i] = left.end_ns[i] = 0;
}
((left.begin_ns[2] = 1000), (left.end_ns[2] = 60000));
left.spans = [[2, 0, 1000, 7000], [2, 1, 1000, 60000], ...left.spans.slice(3)];
Object.assign(left, { skipped: [0, 1], path: [0, 2], path_ns: 59000, latency_ns: 70000 });
left.gain_ns = [0, 0, 50000, 0, 0, 0, 0, 0];
writeFileSync(join(folder, 'branches.json'), JSON.stringify(branches));
writeFileSync(join(folder, 'hostile.json'), JSON.stringify(hostile));
