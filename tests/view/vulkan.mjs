// SPDX-License-Identifier: Apache-2.0 OR MIT
// A run on a Vulkan device: node vulkan.mjs MODULES FOLDER, where the folder holds vulkan.html.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openBrowser } from './browser.mjs';

const [modules, folder] = process.argv.slice(2);
const browser = await openBrowser(modules);
const { page, noted, judge } = await browser.open(join(folder, 'vulkan.html'), { hash: '#level=steps&tab=timeline' });
const seen = await page.evaluate(() => ({
  device: reprise.state.model.device.kind,
  lanes: reprise.timeline.lanes.map((l) => l.title),
  steps: reprise.state.model.steps.steps.length,
  timed: reprise.state.timing.ns.filter((ns) => ns > 0).length,
  uncounted: reprise.state.model.steps.steps.filter((s) => Number.isNaN(reprise.state.work(s).win)).length,
}));
assert.equal(seen.device, 'vulkan');
for (const lane of ['critical path', 'queue 0', 'copy to device', 'copy from device'])
  assert.ok(seen.lanes.includes(lane), `no lane "${lane}" among ${seen.lanes}`);
assert.ok(seen.steps > 50 && seen.timed > seen.steps / 2, 'dispatches have times');
assert.equal(seen.uncounted, 0);
await page.screenshot({ path: join(folder, 'vulkan.png') });
assert.match(await page.textContent('#details .answer'), /^Slowest for the whole: [a-z ]+ of "/);
assert.deepEqual(await judge(), []);
assert.deepEqual(noted, []);
await browser.close();
