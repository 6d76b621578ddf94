// SPDX-License-Identifier: Apache-2.0 OR MIT
// The pictures of the README: node screenshots.mjs MODULES PAGE FOLDER (scripts/screenshots).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser } from './browser.mjs';

const [modules, file, folder] = process.argv.slice(2);
const browser = await openBrowser(modules);
const shoot = async (name, hash, prepare) => {
  const { page, noted } = await browser.open(file, { width: 1120, height: 700, hash });
  await page.evaluate(prepare);
  await page.waitForTimeout(300);
  if (noted.length) throw new Error(noted.join('\n'));
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 88 });
  writeFileSync(join(folder, `view-${name}.webp`), Buffer.from(data, 'base64'));
  await page.close();
};
await shoot('slow', '#tab=slow&dark=0', () => {});
await shoot('dispatches', '#level=steps&tab=timeline&dark=1&colour=bound', () => {
  const { steps } = reprise.state.model;
  const slowest = [...steps.steps].sort((a, b) => reprise.state.work(b).win - reprise.state.work(a).win)[0];
  reprise.choose(slowest, true);
});
await browser.close();
