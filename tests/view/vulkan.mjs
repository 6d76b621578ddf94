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
  ceilings: reprise.state.model.ceilings,
  shares: reprise.state.model.steps.steps.map((s) => reprise.state.work(s).share),
  products: reprise.state.model.steps.steps.map((s) => reprise.state.work(s).productsShare || 0),
  known: reprise.state.model.steps.steps.filter((s) => reprise.state.work(s).products !== undefined).length,
  verdicts: reprise.state.model.steps.steps.map((s) => reprise.state.verdict(s)),
}));
assert.equal(seen.device, 'vulkan');
for (const lane of ['critical path', 'queue 0', 'copy to device', 'copy from device'])
  assert.ok(seen.lanes.includes(lane), `no lane "${lane}" among ${seen.lanes}`);
assert.ok(seen.steps > 50 && seen.timed > seen.steps / 2, 'dispatches have times');
assert.equal(seen.uncounted, 0);
// Beside ceilings: none was exceeded but by the noise of a busy machine, and what bounds each is told.
assert.deepEqual(Object.keys(seen.ceilings.products_per_s).sort(), ['bn254_fp', 'bn254_fr']);
for (const rate of [seen.ceilings.bytes_per_s, ...Object.values(seen.ceilings.products_per_s)])
  assert.ok(rate > 1e5 && rate < 1e12, `a ceiling of ${rate} per second`);
const shares = seen.shares.filter((x) => x > 0);
assert.ok(shares.length > seen.steps / 2, 'shares of ceilings are known');
assert.ok(Math.max(...seen.products) < 3, `${Math.max(...seen.products)} of all products that the device can do`);
assert.ok(seen.known > seen.steps * 0.8, 'the products of kernels are counted');
const told = /^(multiplier|memory|latency|not known|waiting for .*)$/;
assert.deepEqual(
  seen.verdicts.filter((v, i) => v && !told.test(v)),
  [],
);
assert.ok(seen.verdicts.filter((v) => told.test(v)).length > seen.steps / 2);
await page.selectOption('#colour', 'share');
assert.match(await page.textContent('#legend'), /far from its ceiling/);
await page.evaluate(() => reprise.openTab('slow'));
assert.match(await page.textContent('#panel .note'), /Ceilings measured on llvmpipe.*products per second in bn254_fp/);
assert.match(await page.textContent('#panel tbody'), /[0-9] [kM] \([0-9]+%\)/);
await page.screenshot({ path: join(folder, 'vulkan.png') });
assert.match(await page.textContent('#details .answer'), /^Slowest for the whole: [a-z ]+ of "/);
assert.deepEqual(await judge(), []);
assert.deepEqual(noted, []);
await browser.close();
