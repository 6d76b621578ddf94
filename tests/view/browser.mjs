// SPDX-License-Identifier: Apache-2.0 OR MIT
// A headless Chromium in an empty folder, and pages that note every request, message and error.
import { createRequire } from 'node:module';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export async function openBrowser(modules) {
  const need = createRequire(resolve(modules, 'package.json'));
  const { chromium } = need('playwright-core'),
    axe = readFileSync(need.resolve('axe-core/axe.min.js'), 'utf8');
  const folder = mkdtempSync(join(tmpdir(), 'reprise-view-'));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    headless: true,
    viewport: { width: 1440, height: 900 },
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  const close = async () => {
    (await context.close(), rmSync(folder, { recursive: true, force: true }));
  };
  const open = async (file, { width = 1440, height = 900, hash = '' } = {}) => {
    const page = await context.newPage(),
      noted = [];
    await page.setViewportSize({ width, height });
    page.on('console', (m) => {
      if (['error', 'warning'].includes(m.type())) noted.push(`console: ${m.text()}`);
    });
    page.on('pageerror', (e) => noted.push(`error: ${e.message}`));
    page.on('request', (r) => {
      if (!/^(file|data|blob):/.test(r.url())) noted.push(`request: ${r.url()}`);
    });
    await page.goto(`file://${file}${hash}`);
    try {
      await page.waitForSelector('body[data-ready]', { timeout: 20000 });
    } catch (error) {
      throw new Error(`${file} is not shown: ${noted.join('; ')}: ${error.message}`);
    }
    // The page's own rules forbid scripts from elsewhere; axe comes through the debugger's connection instead.
    const judge = async () => {
      const session = await context.newCDPSession(page);
      await session.send('Runtime.evaluate', { expression: axe });
      await session.detach();
      const found = await page.evaluate(() =>
        axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }),
      );
      return found.violations.map(
        (v) =>
          `${v.id}: ${v.nodes
            .map((n) => n.target.join(' '))
            .slice(0, 4)
            .join(', ')}`,
      );
    };
    return { page, noted, judge };
  };
  return { open, close };
}
