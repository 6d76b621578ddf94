// SPDX-License-Identifier: Apache-2.0 OR MIT
// What a run did: branches that it left out, parts of a dispatch that workers took, values that memory held. Part of
// view.mjs.
import assert from 'node:assert/strict';

export const running = ({ browser, at, shot }) => ({
  async 'a branch that was left out is shown as such, and nowhere else'() {
    const { page, noted, judge } = await browser.open(at('branches.html'), { hash: '#level=steps&tab=memory' });
    const get = (what) => page.evaluate(what);
    assert.match(await page.textContent('#legend'), /left out: its condition did not hold/);
    assert.match(await page.textContent('#details'), /left out2 dispatches/);
    assert.deepEqual(
      await get('reprise.state.model.steps.steps.slice(0, 3).map((s) => reprise.scene.figure(s))'),
      ['left out', 'left out', '59.0 µs'],
    );
    assert.deepEqual(await get('reprise.state.timing.path'), [2]);
    assert.equal(await get('reprise.memory.boxes.some((b) => b.v.id === 2 || b.v.id === 3)'), false, 'it held nothing');
    assert.ok(await get('reprise.memory.boxes.some((b) => b.v.id === 4)'));
    for (const level of ['steps', 'ops']) {
      await get(`reprise.setLevel('${level}'); reprise.choose(reprise.state.graph.nodes.find((n) => !n.port), true)`);
      assert.match(await page.textContent('#details'), /runs ifx is not 0in this runleft out/, level);
      assert.equal((await page.textContent('#tree')).match(/left out/g).length, 2);
    }
    await page.keyboard.press('2');
    const bound = await page.$$eval('#panel tbody tr', (rows) => rows.map((r) => r.children[4].textContent));
    assert.equal(bound.filter((b) => b === 'left out').length, 2);
    await shot(page, 'branches');
    assert.deepEqual(await judge(), []);
    assert.deepEqual(noted, []);
    await page.close();
    const whole = await browser.open(at('known.html'));
    assert.doesNotMatch(await whole.page.innerText('body'), /left out/);
    await whole.page.close();
  },
  async 'a dispatch that one of several workers delayed'() {
    const { page } = await browser.open(at('branches.html'), { hash: '#level=steps' });
    assert.match(await page.textContent('#details'), /One worker took 59.0 µs, the other 6.00 µs: the work/);
    await page.evaluate(() => reprise.choose(reprise.state.model.steps.steps[2], true));
    assert.match(await page.textContent('#details'), /workers 0 \(6.00 µs\), 1 \(59.0 µs\) of a device/);
    await page.close();
  },
  async 'long tables are short on paper, and say so'() {
    const { page } = await browser.open(at('large.html'), { hash: '#tab=slow' });
    const seen = () =>
      page.evaluate(() => [
        [...document.querySelectorAll('#panel tbody tr')].filter((r) => r.offsetHeight).length,
        document.querySelector('#panel').innerText.includes('Printed: the first 100 rows.'),
      ]);
    assert.deepEqual(await seen(), [300, false]);
    await page.evaluate(() => reprise.print(true));
    assert.deepEqual(await seen(), [100, true]);
    await page.evaluate(() => reprise.print(false));
    assert.deepEqual(await seen(), [300, false]);
    await page.close();
  },
  async 'small values are listed as one, so that budgets are in sight'() {
    const { page } = await browser.open(at('plonk.html'), { hash: '#tab=memory' });
    const listed = await page.evaluate(() => {
      const { memory } = reprise,
        sizes = memory.atPeak.map((b) => b.high - b.low),
        large = sizes.filter((n, i) => i < 6 || n >= memory.peak / 100).length;
      return { large, all: sizes.length, rows: document.querySelectorAll('#holds table:first-of-type tr').length };
    });
    assert.ok(listed.all > listed.large, 'there are small ones');
    assert.match(await page.textContent('#holds'), new RegExp(`and ${listed.all - listed.large} smaller`));
    await page.close();
  },
});
