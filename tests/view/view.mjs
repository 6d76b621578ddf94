// SPDX-License-Identifier: Apache-2.0 OR MIT
// The page in a browser: node view.mjs MODULES FOLDER, where the folder holds run.html (two runs of a Groth16 key),
// flight.html (three in flight), plonk.html, saved.html, hostile.html, known.html, group.html (two devices),
// branches.html (of which one was left out), differ.html (two graphs) and large.html. Screenshots stay beside them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser } from './browser.mjs';
import { drawing } from './drawing.mjs';
import { running } from './running.mjs';

const [modules, folder] = process.argv.slice(2);
const browser = await openBrowser(modules);
const at = (name) => join(folder, name);
const rest = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const shot = async (page, name) => {
  (await rest(page), await page.screenshot({ path: at(`${name}.png`) }));
};
const heading = (page) => page.textContent('#details h2');
// What is wider than a page of paper, or stands in something that is cut, or is drawn with too few pixels.
const onPaper = () =>
  [...document.querySelectorAll('#bar, #drawing, #details, #panel, #panel table, #panel canvas, #holds')]
    .filter((e) => {
      const r = e.getBoundingClientRect();
      return r.right > 691 || e.scrollWidth > e.clientWidth + 1 || (e.tagName === 'CANVAS' && e.width < 2 * r.width);
    })
    .map((e) => `${e.tagName}#${e.id} ${Math.round(e.getBoundingClientRect().right)}`);
const titles = (page) => page.evaluate(() => reprise.scene.view.items.map((t) => t.title));

const tests = {
  async 'a Groth16 run is read: search, phases, nodes, figures'() {
    const { page, noted, judge } = await browser.open(at('run.html'));
    assert.match(await page.textContent('#figures'), /latency [0-9.]+ [mµ]?s/);
    const said = /^Slowest for the whole: [a-z ]+ of "[^"]+", (bound by (multiplier|memory|latency|what)|waiting for)/;
    assert.match(await page.textContent('#details .answer'), said, 'the answer is what one sees first');
    assert.match(await page.textContent('#details'), /longest operationbucket windows of "MSM of [^"]*", [0-9.]+ ms/);
    assert.ok((await titles(page)).some((t) => /^MSM of H: 2\^13 points, windows of [0-9]+ bits$/.test(t)));
    await shot(page, 'groth16');
    const svg = await page.evaluate(() => reprise.scene.svg('a picture'));
    assert.ok(svg.indexOf('▾ MSM of A') > svg.lastIndexOf('<path'), 'titles of open phases stand before lines');
    await page.fill('#search', 'b1 bucket_filter');
    assert.equal(await page.textContent('#found'), '1 found');
    await page.press('#search', 'Enter');
    assert.equal(await heading(page), 'bucket filter');
    await page.keyboard.press('Escape');
    const phase = await page.evaluate(() => {
      const p = reprise.state.graph.scopes.find((s) => s.title.startsWith('MSM of A'));
      ((p.open = false), reprise.changeLayout(), reprise.scene.fit(), reprise.scene.paint());
      return p.id;
    });
    const place = () =>
      page.evaluate((id) => {
        const t = reprise.state.graph.byId.get(id),
          s = reprise.scene,
          r = s.canvas.getBoundingClientRect();
        return [r.left + (t.x + 20 - s.x) * s.zoom + s.w / 2, r.top + (t.y + 10 - s.y) * s.zoom + s.h / 2];
      }, phase);
    const closed = (await titles(page)).length;
    await page.mouse.dblclick(...(await place()));
    assert.ok((await titles(page)).length > closed, 'a double click opens a phase');
    assert.match(await heading(page), /^MSM of A: 5345 points/);
    const order = () =>
      page.evaluate(() =>
        reprise.state.graph.root.plan.layers
          .flat()
          .map((c) => c.id)
          .join(),
      );
    const before = await order();
    await page.keyboard.press('Enter');
    assert.equal((await titles(page)).length, closed);
    assert.equal(await order(), before, 'the arrangement of phases does not depend on what is open');
    assert.deepEqual(await judge(), []);
    assert.deepEqual(noted, []);
    await page.close();
  },
  async 'the critical path in both views, and the table of what to make faster'() {
    const { page, noted, judge } = await browser.open(at('run.html'));
    await page.click('[data-level=steps]');
    await page.focus('#graph');
    await page.keyboard.press('c');
    const first = await page.evaluate(() => [reprise.state.chosen.index, reprise.state.timing.path[0]]);
    assert.equal(first[0], first[1]);
    assert.match(await page.textContent('#details'), /on the critical pathyes/);
    assert.match(await page.textContent('#details'), /slack0 ns/);
    await page.keyboard.press('c');
    assert.equal(await page.evaluate(() => reprise.state.timing.path.indexOf(reprise.state.chosen.index)), 1);
    assert.ok((await page.evaluate(() => reprise.state.pathEdges.size)) > 2, 'edges of the path are drawn');
    await page.keyboard.press('2');
    const wins = await page.evaluate(() =>
      Math.max(...reprise.state.model.steps.steps.map((s) => reprise.state.work(s).win)),
    );
    await page.click('#panel tbody tr');
    assert.equal(await page.evaluate(() => reprise.state.work(reprise.state.chosen).win), wins);
    await shot(page, 'slow');
    assert.deepEqual(await judge(), []);
    await page.keyboard.press('1');
    const box = await page.evaluate(() => {
      const t = reprise.timeline,
        l = t.lanes.find((x) => x.title.startsWith('worker')),
        s = l.spans.reduce((a, b) => (b.end - b.begin > a.end - a.begin ? b : a)),
        r = t.canvas.getBoundingClientRect();
      return {
        x: r.left + t.left + ((s.begin + s.end) / 2 - t.from) * t.scale,
        y: r.top + l.y + t.row * s.row + 10,
        id: s.item.id,
      };
    });
    await page.mouse.click(box.x, box.y);
    assert.equal(
      await page.evaluate(() => reprise.state.chosen.id),
      box.id,
      'a click on the timeline chooses the node',
    );
    // The shortest, because on a busy machine a long one may take most of the run. A short span does not tell: the
    // other workers may have taken longer.
    await page.evaluate(() => {
      const { begin_ns, end_ns } = reprise.state.timing.run,
        took = (s) => end_ns[s.index] - begin_ns[s.index];
      reprise.choose(reprise.state.model.steps.steps.reduce((a, b) => (took(b) < took(a) ? b : a)), true);
    });
    const whole = await page.evaluate(() => reprise.timeline.to - reprise.timeline.from);
    await page.click('#details button:has-text("Zoom the timeline")');
    assert.ok((await page.evaluate(() => reprise.timeline.to - reprise.timeline.from)) < whole / 2);
    await page.keyboard.press('3');
    await shot(page, 'memory');
    assert.deepEqual(noted, []);
    await page.close();
  },
  async 'what bounds a dispatch, beside ceilings, and what work on it would win'() {
    const { page, noted, judge } = await browser.open(at('known.html'), { hash: '#tab=slow&level=steps' });
    assert.deepEqual(
      await page.evaluate(() => reprise.state.model.steps.steps.slice(0, 7).map((s) => reprise.state.verdict(s))),
      ['multiplier', 'memory', 'latency', 'waiting for ntt pass (Phase 1)', 'not known', 'latency', 'memory'],
    );
    const cells = (row) => page.$$eval(`#panel tbody tr:nth-child(${row}) td`, (all) => all.map((c) => c.textContent));
    const first = await cells(1);
    assert.deepEqual(first.slice(0, 1).concat(first.slice(2, 9)), [
      'ntt pass',
      ' 44.8 µs',
      '79.9%',
      'latency',
      '50.0 µs',
      '5.24 µs',
      '10.5 G (10%)',
      '83.9 G (8%)',
    ]);
    assert.equal((await cells(2))[2], ' 757 ns', 'what it would win is what lies above its ceiling');
    assert.match(
      await page.textContent('#panel .note'),
      /^Slowest for the whole: ntt pass of "Phase 1.*latency, 50\.0 µs\. Meas/,
    );
    assert.match(await page.textContent('#panel .note'), /100 G products per second in bn254_fr, 1\.00 TB per second/);
    await page.click('#panel tbody tr');
    assert.match(await page.textContent('#details'), /products per second10\.5 G, 10% of the ceiling/);
    assert.match(await page.textContent('#details'), /predicted5\.00 µs \(measured 10\.00×\)/);
    await page.selectOption('#colour', 'lane');
    assert.deepEqual(await judge(), []);
    assert.match(await page.textContent('#legend'), /queue 0/);
    const fills = await page.evaluate(() => {
      reprise.state.colour = 'share';
      return reprise.state.model.steps.steps.map((s) => reprise.scene.fill(s, { node: '#ffffff', chosen: '#0000ff' }));
    });
    assert.ok(fills[0] < fills[2], 'what is near its ceiling is darker');
    assert.deepEqual(noted, []);
    await page.close();
  },
  async 'what memory holds, at the peak and elsewhere, and what other budgets would give'() {
    const { page, noted, judge } = await browser.open(at('run.html'), { hash: '#tab=memory' });
    const sums = await page.evaluate(() => {
      const m = reprise.memory,
        sum = (list) => list.reduce((n, b) => n + b.high - b.low, 0);
      return [sum(m.atPeak), m.peak, m.size];
    });
    assert.equal(sums[0], sums[1]);
    assert.ok(sums[1] <= sums[2]);
    assert.match(await page.textContent('#holds'), /^The peak, at [0-9.]+ ms: [0-9.]+ MiB in [0-9]+ values/);
    assert.match(await page.textContent('#holds'), /With another budget.*\(this\)/);
    assert.deepEqual(await judge(), []);
    await page.click('#holds button');
    assert.ok(await page.evaluate(() => reprise.state.chosen.step.touches.length > 0));
    await page.mouse.click(
      ...(await page.evaluate(() => {
        const r = reprise.memory.canvas.getBoundingClientRect();
        return [r.right - 30, r.top + 30];
      })),
    );
    assert.match(await page.textContent('#holds'), /^At [0-9.]+ ms/);
    assert.deepEqual(noted, []);
    await page.close();
    const known = await browser.open(at('known.html'), { hash: '#tab=memory' });
    assert.match(await known.page.textContent('#holds'), /22\.0 MiB20\.0 MiB50\.0 µs \(\+25\.0%\)16/);
    await known.page.close();
  },
  async 'everything can be done by keys'() {
    const { page, noted } = await browser.open(at('run.html'));
    const get = (what) => page.evaluate(what);
    await page.focus('#graph');
    const x = await get('reprise.scene.x');
    await page.keyboard.press('Shift+ArrowRight');
    assert.ok((await get('reprise.scene.x')) > x, 'the graph moves');
    await page.keyboard.press('ArrowRight');
    const chosen = await heading(page);
    await page.keyboard.press('ArrowRight');
    assert.notEqual(await heading(page), chosen, 'the outline is walked');
    await page.keyboard.press('d');
    assert.equal(await get('reprise.state.level'), 'steps');
    await page.keyboard.press('?');
    assert.ok(await get("document.getElementById('help').open"));
    await page.keyboard.press('Escape');
    await page.focus('#tab-timeline');
    await page.keyboard.press('ArrowRight');
    assert.equal(await get('reprise.tab'), 'slow', 'tabs by arrows');
    await page.keyboard.press('1');
    await page.focus('#panel');
    const span = () => get('reprise.timeline.to - reprise.timeline.from');
    const whole = await span();
    await page.keyboard.press('+');
    assert.ok((await span()) < whole, 'the timeline zooms');
    const from = await get('reprise.timeline.from');
    await page.keyboard.press('ArrowRight');
    assert.ok((await get('reprise.timeline.from')) > from, 'the timeline moves');
    await page.keyboard.press('0');
    assert.ok(Math.abs((await span()) - whole) < 1);
    await page.keyboard.press('3');
    await page.focus('#panel');
    await page.keyboard.press('ArrowRight');
    assert.ok((await get('reprise.memory.shownAt')) > (await get('reprise.memory.peakAt')));
    await page.keyboard.press('2');
    await page.focus('#panel tbody tr:nth-child(2) button');
    await page.keyboard.press('Enter');
    assert.equal(await get('reprise.state.chosen.title'), await page.textContent('#panel tbody tr:nth-child(2) td'));
    assert.deepEqual(
      await page.$$eval('#panel tr[aria-selected=true]', (all) => all.map((r) => r.rowIndex)),
      [2],
      'the row that is chosen is marked',
    );
    const inStep = await heading(page);
    await page.focus('#details li button');
    await page.keyboard.press('Enter');
    assert.notEqual(await heading(page), inStep, 'a link in the details is followed');
    assert.equal(await get('document.activeElement.id'), 'details', 'and the focus stays there');
    await page.keyboard.press('/');
    await page.keyboard.type('ntt');
    await page.keyboard.press('Enter');
    assert.match(await heading(page), /^ntt/);
    assert.deepEqual(noted, []);
    await page.close();
  },
  async 'pictures are written: SVG and PNG'() {
    const { page, noted } = await browser.open(at('run.html'));
    for (const [button, begin] of [
      ['#svg', '<svg '],
      ['#png', '\u0089PNG'],
    ]) {
      const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
      assert.equal(download.suggestedFilename(), `groth16.${button.slice(1)}`);
      assert.ok(readFileSync(await download.path(), 'latin1').startsWith(begin));
    }
    assert.deepEqual(noted, []);
    await page.close();
  },
  async 'several runs in flight, on one clock'() {
    const { page, noted, judge } = await browser.open(at('flight.html'));
    assert.equal(await page.evaluate(() => reprise.state.other), null, 'runs in flight together are not compared');
    const lane = () =>
      page.evaluate(() => {
        const { state, timeline } = reprise,
          l = timeline.lanes.find((x) => x.title === 'in flight');
        return {
          spans: l.spans.map((s) => [s.begin, s.end]),
          clocks: state.model.runs.map((r) => [r.clock_ns, r.latency_ns]),
          shift: timeline.shift,
          workers: timeline.lanes.filter((x) => x.title.startsWith('worker')).flatMap((x) => x.spans).length,
          all: state.model.runs.flatMap((r) => r.spans.filter((s) => s[0] >= 0)).length,
        };
      });
    const seen = await lane(),
      first = Math.min(...seen.clocks.map((c) => c[0]));
    assert.equal(seen.spans.length, 3);
    assert.deepEqual(
      seen.spans,
      seen.clocks.map(([c, ns]) => [c - first, c - first + ns]).sort((a, b) => a[0] - b[0]),
    );
    assert.equal(seen.workers, seen.all);
    await shot(page, 'flight');
    const box = await page.evaluate(() => {
      const t = reprise.timeline,
        l = t.lanes.find((x) => x.title === 'in flight'),
        s = l.spans[2],
        r = t.canvas.getBoundingClientRect();
      return [r.left + t.left + (s.end - t.from) * t.scale - 4, r.top + l.y + t.row * s.row + 10];
    });
    await page.mouse.click(...box);
    assert.equal(await page.evaluate(() => reprise.state.run), 2, 'a click on a run shows it');
    assert.ok((await lane()).shift > 0);
    assert.deepEqual(await judge(), []);
    assert.deepEqual(noted, []);
    await page.close();
  },
  async 'two runs beside each other, dark, and the view in the address'() {
    const { page, noted, judge } = await browser.open(at('run.html'));
    await page.keyboard.press('4');
    assert.match(
      await page.textContent('#panel .note'),
      /A \(one\).*B \(two\).* dispatches have the same name, 0 are in A alone, 0 in B alone/,
    );
    await page.selectOption('#colour', 'difference');
    await page.keyboard.press('t');
    await page.keyboard.press('d');
    await shot(page, 'compare');
    assert.deepEqual(await judge(), []);
    await page.waitForTimeout(400);
    const hash = new URL(page.url()).hash;
    const again = await browser.open(at('run.html'), { hash });
    assert.deepEqual(
      await again.page.evaluate(() => [reprise.state.level, reprise.state.colour, reprise.tab, reprise.state.dark]),
      ['steps', 'difference', 'compare', true],
    );
    const svg = await again.page.evaluate(() => reprise.scene.svg('a <title>'));
    assert.match(svg, /^<svg /);
    const parsed = await again.page.evaluate(
      (text) => new DOMParser().parseFromString(text, 'image/svg+xml').querySelector('parsererror') === null,
      svg,
    );
    assert.ok(parsed, 'the SVG is well-formed');
    assert.deepEqual([...noted, ...again.noted], []);
    (await page.close(), await again.page.close());
  },
  async 'what is in one of two runs alone is listed'() {
    const { page, noted } = await browser.open(at('differ.html'), { hash: '#tab=compare' });
    const counts = await page.evaluate(() => [
      reprise.state.model.steps.steps.length,
      reprise.state.other.model.steps.steps.length,
    ]);
    assert.match(
      await page.textContent('#panel .note'),
      new RegExp(`0 dispatches have the same name, ${counts[0]} are in A alone, ${counts[1]} in B alone`),
    );
    const words = await page.$$eval('#panel tbody tr td:nth-child(5)', (all) => all.map((c) => c.textContent));
    assert.equal(words.filter((w) => w === 'A alone').length, counts[0]);
    assert.equal(words.filter((w) => w === 'B alone').length, counts[1]);
    assert.deepEqual(noted, []);
    await page.close();
  },
  async 'PLONK, a saved graph without a run, a phone, help, print'() {
    const plonk = await browser.open(at('plonk.html'));
    assert.ok((await titles(plonk.page)).some((t) => t.startsWith('Proof') || t.startsWith('Round')));
    (await plonk.page.click('#unfold'), await shot(plonk.page, 'plonk'));
    (await plonk.page.check('#show-memory'), await plonk.page.check('#show-constants'));
    await plonk.page.click('#help-button');
    assert.match(await plonk.page.textContent('#help'), /critical path is the longest chain/);
    assert.deepEqual(await plonk.judge(), []);
    const saved = await browser.open(at('saved.html'), { width: 390, height: 800 });
    assert.match(await saved.page.textContent('#figures'), /predicted/);
    assert.ok(
      await saved.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      'a phone needs no scrolling sideways',
    );
    assert.deepEqual(await saved.judge(), []);
    await saved.page.fill('#search', 'a');
    assert.match(await saved.page.textContent('#found'), /^[0-9]+ found$/);
    for (const what of ['#found', '#legend', '#unfold'])
      assert.ok(await saved.page.isVisible(what), `${what} on a phone`);
    await shot(saved.page, 'phone');
    for (const tab of ['slow', 'memory', 'timeline']) {
      const run = await browser.open(at('run.html'), { width: 390, height: 800, hash: `#tab=${tab}&dark=1` });
      assert.ok(
        await run.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
        `a phone needs no scrolling sideways: ${tab}`,
      );
      await run.page.emulateMedia({ media: 'print' });
      await run.page.waitForFunction(() => document.documentElement.dataset.theme === 'light');
      assert.ok(!(await run.page.isVisible('#tools')));
      await run.page.setViewportSize({ width: 720, height: 900 });
      await shot(run.page, `print-${tab}`);
      assert.deepEqual(await run.page.evaluate(onPaper), [], `${tab} on paper`);
      await run.page.emulateMedia({ media: 'screen' });
      await run.page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
      assert.ok(!(await run.page.evaluate(() => document.body.classList.contains('paper'))));
      assert.deepEqual(run.noted, []);
      await run.page.close();
    }
    const small = await browser.open(at('known.html'), { width: 390, height: 800, hash: '#tab=slow' });
    assert.deepEqual(
      await small.page.$$eval('#panel thead th', (all) =>
        all
          .filter((h) => h.offsetWidth && h.getBoundingClientRect().right <= innerWidth)
          .slice(0, 3)
          .map((h) => h.textContent),
      ),
      ['Dispatch', 'Would win', 'Bound by'],
      'a phone shows without scrolling what is slow and why',
    );
    await small.page.close();
    assert.deepEqual([...plonk.noted, ...saved.noted], []);
    (await plonk.page.close(), await saved.page.close());
  },
  async 'names from a document are text'() {
    const { page, noted } = await browser.open(at('hostile.html'));
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.textContent('#title'), '</script><img src=x onerror="hacked=1">');
    assert.deepEqual(noted, []);
    await page.close();
  },
};

let failed = 0;
const all = { ...tests, ...drawing({ browser, at, shot, rest }), ...running({ browser, at, shot }) };
for (const [name, test] of Object.entries(all)) {
  if (!name.includes(process.env.ONLY || '')) continue; // ONLY: a part of the name of the test that is wanted
  const begin = Date.now();
  try {
    await test();
    console.log(`ok    ${name} (${Date.now() - begin} ms)`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${name}: ${error.stack}`);
  }
}
await browser.close();
// What must be in the file itself: licences, and no address that a browser would go to.
const text = readFileSync(at('plonk.html'), 'utf8').slice(0, 300 * 1024);
if (!text.includes('SPDX-License-Identifier: Apache-2.0 OR MIT'))
  (failed++, console.log('FAIL  the page names no licence'));
process.exit(failed ? 1 : 0);
