// SPDX-License-Identifier: Apache-2.0 OR MIT
// Documents for the tests: one of 10,000 dispatches, one whose names try to be markup. node make.mjs FOLDER
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
writeFileSync(join(folder, 'hostile.json'), JSON.stringify(hostile));
