// SPDX-License-Identifier: Apache-2.0 OR MIT
// The pictures of the README: node screenshots.mjs MODULES PAGE FOLDER (scripts/screenshots).
import { join } from 'node:path';
import { openBrowser } from './browser.mjs';

const [modules, file, folder] = process.argv.slice(2);
const browser = await openBrowser(modules);
const shoot = async (name, hash, prepare) => {
  const { page, noted } = await browser.open(file, { width: 1120, height: 700, hash });
  if (noted.length) throw new Error(noted.join('\n'));
  await page.evaluate(prepare);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(folder, `view-${name}.png`) });
  await page.close();
};
await shoot('slow', '#tab=slow', () => {});
await shoot('dispatches', '#level=steps&tab=timeline&dark=1&colour=bound', () => {
  const { steps } = reprise.state.model;
  const slowest = [...steps.steps].sort((a, b) => reprise.state.work(b).win - reprise.state.work(a).win)[0];
  reprise.choose(slowest, true);
});
await browser.close();
