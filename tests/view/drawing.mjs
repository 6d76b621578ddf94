// SPDX-License-Identifier: Apache-2.0 OR MIT
// What is drawn: devices of a group, phases and lines, colours with their legends and words, large graphs. Part of
// view.mjs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { criticalPath } from '../../graphs/view/page/critical.js';
import { arrange, layout } from '../../graphs/view/page/layout.js';
import { joinPieces } from '../../graphs/view/page/pieces.js';

// A graph of three phases, built as A, B and C, of which each needs something of the one before, and A something of C.
function circle() {
  const root = { children: [], depth: 0, title: '', isPhase: true, open: true },
    phases = ['A', 'B', 'C'].map((title) => {
      const phase = { id: title, title, parent: root, depth: 1, isPhase: true };
      return Object.assign(phase, { children: [0, 1].map(() => ({ parent: phase, depth: 2 })) });
    });
  root.children = phases;
  const edge = (a, i, b, k) => ({ from: phases[a].children[i], to: phases[b].children[k], kind: 'data' });
  return { root, scopes: [root, ...phases], edges: [edge(2, 0, 0, 1), edge(0, 0, 1, 0), edge(1, 0, 2, 0)] };
}

const step = (n, preds) => ({ part: 'run', step: n, label: `s${n}`, preds, waits: [], touches: [] });
// Two pieces, of which the second follows the first without reading from it.
const twoPieces = {
  graph: { nodes: [], values: [], scopes: [] },
  recording: {
    devices: [{}, {}],
    results: [],
    pieces: [0, 1].map((device) => ({
      device,
      after: device ? [0] : [],
      inputs: [],
      recording: { steps: [step(0, []), step(1, [0])], values: [], blocks: [] },
    })),
  },
  runs: [
    {
      pieces: [
        { submitted_ns: 0, spans: [], begin_ns: [0, 10], end_ns: [10, 20] },
        { submitted_ns: 5, spans: [[1, 0, 9, 12]], begin_ns: [3, 9], end_ns: [9, 12] },
      ],
    },
  ],
};

export const drawing = ({ browser, at, shot, rest }) => ({
  async 'a group of devices: lanes, colours and names of each'() {
    const { page, noted, judge } = await browser.open(at('group.html'), { hash: '#level=steps&tab=timeline' });
    await page.selectOption('#colour', 'device');
    const seen = await page.evaluate(() => {
      const { state, timeline, scene } = reprise,
        steps = state.model.steps.steps;
      state.graph.scopes.forEach((s) => (s.open = true));
      reprise.changeLayout();
      return {
        lanes: timeline.lanes.map((l) => [l.title, l.spans.length]),
        colours: [0, 8, 16, 95].map((i) => scene.fill(steps[i], { node: '#000000' })),
        before: state.before(steps[16]).index,
      };
    });
    assert.deepEqual(seen.lanes.slice(-2), [
      ['device 0, queue 0', 49], // with the dispatch whose device is not in the list
      ['device 1, queue 0', 47],
    ]);
    assert.notEqual(seen.colours[0], seen.colours[1]);
    assert.equal(seen.colours[0], seen.colours[2]);
    assert.equal(seen.colours[0], seen.colours[3]);
    assert.ok(Math.floor(seen.before / 8) % 2 === 0, 'what ran before it ran on the same device');
    assert.match(await page.textContent('#legend'), /device 0: a device.*device 1: a device/);
    assert.match(await page.textContent('#figures'), /on 2 × a device/);
    await page.evaluate(() => reprise.choose(reprise.state.model.steps.steps[8], true));
    assert.match(await page.textContent('#details'), /queue 0 of device 1, a device/);
    await shot(page, 'group');
    assert.deepEqual(await judge(), []);
    assert.deepEqual(noted, []);
    await page.close();
  },
  async '10,000 dispatches open fast and pan smoothly'() {
    const { page, noted } = await browser.open(at('large.html'));
    // Processor time of the page's thread, which other programs on the machine change little.
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const spent = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find((m) => m.name === 'TaskDuration').value;
    };
    const begin = await spent();
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    const opened = (await spent()) - begin;
    (await page.click('[data-level=steps]'), await page.click('#unfold'));
    await rest(page);
    const before = await spent();
    const frames = await page.evaluate(
      () =>
        new Promise((done) => {
          let n = 0;
          const start = performance.now(),
            step = () => {
              (reprise.scene.pan(14 * Math.sin(n / 8), 6 * Math.cos(n / 10)), n++);
              if (performance.now() - start > 1000) done(n);
              else requestAnimationFrame(step);
            };
          step();
        }),
    );
    const each = (1000 * ((await spent()) - before)) / frames;
    console.log(`      opened in ${opened.toFixed(2)} s, ${frames} frames per second of ${each.toFixed(1)} ms each`);
    assert.ok(opened < 1 && each < 20 && frames > 10, 'in processor time, even on a busy machine');
    await page.click('#fit');
    await rest(page);
    const all = await page.evaluate(() => {
      const { scene } = reprise;
      return [scene.view.w * scene.zoom <= scene.w, scene.view.h * scene.zoom <= scene.h];
    });
    assert.deepEqual(all, [true, true], 'all of it is shown');
    await shot(page, 'large');
    assert.deepEqual(noted, []);
    await page.close();
  },
  async 'parts of a group, which ran: one recording, one path over both devices'() {
    const { page, noted, judge } = await browser.open(at('parts.html'), { hash: '#tab=memory&level=steps' });
    await page.selectOption('#colour', 'device');
    const seen = await page.evaluate(() => {
      reprise.openTab('timeline');
      const { state, timeline } = reprise,
        { timing, model } = state,
        steps = model.steps.steps,
        device = (i) => state.device(steps[i]);
      return {
        lanes: timeline.lanes.filter((l) => l.title.includes('worker')).map((l) => l.title),
        steps: steps.length,
        nodes: steps.filter((s) => !s.node && s.path !== 'bind in witness').length,
        onBoth: [0, 1].map((d) => steps.filter((s) => state.device(s) === d).length),
        early: steps.filter((s, i) => s.step.preds.some((p) => timing.run.end_ns[p] > timing.run.begin_ns[i])).length,
        crossing: steps.filter((s, i) => s.step.preds.some((p) => device(p) !== device(i))).length,
        path: timing.path.every((i, k) => !k || steps[i].step.preds.includes(timing.path[k - 1])),
        pathNs: timing.path.reduce((sum, i) => sum + timing.ns[i], 0) - timing.pathNs,
        late: timing.pathNs > timing.latency,
        won: Math.max(...timing.gain.map((g, i) => g - timing.ns[i])),
        ports: model
          .graph('steps')
          .nodes.filter((n) => n.port === 'output')
          .map((n) => n.title),
        inputs: [
          ...new Set(
            model
              .graph('steps')
              .nodes.filter((n) => n.port === 'input')
              .map((n) => n.title),
          ),
        ],
        phases: model
          .graph('steps')
          .root.children.filter((c) => c.isPhase)
          .map((c) => c.title),
      };
    });
    assert.deepEqual(seen.lanes, ['device 0, worker 0', 'device 1, worker 0']);
    assert.ok(seen.onBoth[0] > 20 && seen.onBoth[1] > 20 && seen.onBoth[0] + seen.onBoth[1] === seen.steps);
    assert.equal(seen.nodes, 0, 'every dispatch stands in the phase of a node');
    assert.equal(seen.early, 0, 'none began before what it waits for had ended');
    assert.ok(seen.crossing > 0, 'some wait for the other device');
    assert.ok(seen.path && !seen.late && seen.won <= 0);
    assert.ok(Math.abs(seen.pathNs) < 1);
    assert.deepEqual(seen.ports.sort(), ['pi_a', 'pi_b', 'pi_c'], 'what pieces pass on is no output');
    assert.deepEqual(seen.inputs, ['witness'], 'nor an input');
    assert.ok(seen.phases.some((phase) => phase.startsWith('Device 1: its part of the products')));
    assert.match(await page.textContent('#key'), /device 0: .*device 1: /);
    assert.match(await page.textContent('#details .answer'), /^Slowest for the whole: .*, [0-9.]+ [mµ]s\.$/);
    await shot(page, 'parts');
    assert.deepEqual(await judge(), []);
    assert.deepEqual(noted, []);
    await page.close();
  },
  async 'phases in their order, and lines beside boxes'() {
    for (const hash of ['#level=ops', '#level=steps']) {
      const { page, noted } = await browser.open(at('plonk.html'), { hash });
      await page.click('#fold');
      const seen = await page.evaluate(() => {
        const { items, edges } = reprise.scene.view,
          rounds = items.filter((t) => t.title.startsWith('Round')),
          at = (a, b, t, s) =>
            a * (1 - t) ** 3 + 3 * s * (1 - t) ** 2 * t + 3 * (b - (s - a)) * (1 - t) * t ** 2 + b * t ** 3;
        const points = (e) => {
          const found = [];
          let [x, y] = [e.x1, e.y1];
          for (const [bx, top, bottom] of [...e.via, [e.x2, e.y2, e.y2]]) {
            const bend = Math.max(14, Math.min(90, Math.abs(top - y) / 2));
            for (let t = 0; t <= 1; t += 0.05) found.push([at(x, bx, t, x), at(y, top, t, y + bend)]);
            ((x = bx), (y = bottom));
          }
          return found;
        };
        const through = (e) =>
          items.filter(
            (t) =>
              t !== e.from &&
              t !== e.to &&
              points(e).some(([x, y]) => x > t.x + 3 && x < t.x + t.w - 3 && y > t.y + 3 && y < t.y + t.h - 3),
          );
        return {
          rounds: rounds.sort((a, b) => a.y - b.y).map((t) => t.title.slice(0, 7)),
          last: Math.max(...items.filter((t) => t.port !== 'output').map((t) => t.y)),
          outputs: Math.min(...items.filter((t) => t.port === 'output').map((t) => t.y)),
          through: edges.flatMap((e) => through(e).map((t) => `${e.from.title} to ${e.to.title} through ${t.title}`)),
        };
      });
      assert.deepEqual(
        seen.rounds,
        [1, 2, 3, 4, 5].map((n) => `Round ${n}`),
      );
      assert.ok(seen.outputs > seen.last, 'results stand below all else');
      assert.deepEqual(seen.through, []);
      assert.deepEqual(noted, []);
      await page.close();
    }
  },
  async 'the path of a group is found as the library finds that of a device'() {
    const { recording, runs } = JSON.parse(readFileSync(at('one.json'), 'utf8')),
      [run] = runs,
      preds = recording.steps.filter((s) => s.part === 'run').map((s) => s.preds),
      found = criticalPath(
        preds,
        run.begin_ns.map((t, i) => Math.max(0, run.end_ns[i] - t)),
      );
    for (const key of ['path_ns', 'slack_ns', 'gain_ns']) assert.deepEqual(found[key], run[key], key);
    assert.equal(found.path.length > 1, run.path.length > 1);
  },
  async 'a piece begins when those that it follows have ended'() {
    const { recording, runs } = joinPieces(twoPieces);
    assert.deepEqual(
      recording.steps.map((s) => [s.device, s.preds]),
      [
        [0, []],
        [0, [0]],
        [1, [1]],
        [1, [2]],
      ],
    );
    assert.deepEqual(
      [runs[0].begin_ns, runs[0].end_ns],
      [
        [0, 10, 20, 26],
        [10, 20, 26, 29],
      ],
    );
    assert.deepEqual([runs[0].spans, runs[0].path, runs[0].path_ns], [[[3, 0, 26, 29]], [0, 1, 2, 3], 29]);
  },
  async 'phases that need each other stand in the order in which they were built'() {
    const graph = circle();
    arrange(graph, { constants: false });
    assert.deepEqual(
      graph.root.plan.layers.map((layer) => layer.filter((c) => c.title).map((c) => c.title)),
      [['A'], ['B'], ['C']],
    );
    // The line back, from C to A, goes up past B, from border to border.
    const { edges } = layout(graph, { constants: false }),
      lines = edges.map((e) => [e.from, e.to].map((i) => i.title).join('>') + (e.up ? ' up' : '')),
      back = edges.find((e) => e.up),
      [a, b, c] = graph.root.children;
    assert.deepEqual(lines.sort(), ['A>B', 'B>C', 'C>A up']);
    assert.deepEqual([back.y1, back.y2], [c.y, a.y + a.h]);
    assert.equal(back.via.length, 1);
    const [[x, enters, leaves]] = back.via;
    assert.ok(enters > leaves && (x < b.x || x > b.x + b.w), 'beside what stands between');
  },
  async 'every colour has a legend, and words can be read on it'() {
    const { page, noted, judge } = await browser.open(at('run.html'), { hash: '#level=steps' });
    const modes = await page.$$eval('#colour option', (all) => all.map((o) => o.value));
    const legends = {};
    for (const dark of [false, true]) {
      await page.evaluate((d) => reprise.setTheme(d), dark);
      for (const mode of modes) {
        await page.selectOption('#colour', mode);
        legends[mode] = await page.textContent('#legend');
        const pale = await page.evaluate(() => {
          const light = (c) => {
            const [r, g, b] = [1, 3, 5]
              .map((i) => parseInt(c.slice(i, i + 2), 16) / 255)
              .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const style = getComputedStyle(document.documentElement),
            names = ['back', 'side', 'line', 'text', 'soft', 'phase', 'node', 'edge', 'path', 'chosen', 'hit', 'hot'];
          const palette = Object.fromEntries(names.map((n) => [n, style.getPropertyValue(`--${n}`).trim()]));
          const found = [];
          let fill = palette.back;
          const pen = {
            box: (x, y, w, h, r, f) => f && (fill = f),
            curves() {},
            heads() {},
            width: (text) => 7 * text.length,
            text(x, y, text, size, colour) {
              const [a, b] = [light(colour), light(fill)].sort((p, q) => q - p);
              if ((a + 0.05) / (b + 0.05) < 4.5) found.push(`"${text}" ${colour} on ${fill}`);
            },
          };
          const all = { left: -1e9, top: -1e9, right: 1e9, bottom: 1e9 };
          for (const s of reprise.state.graph.scopes) s.open = true;
          reprise.changeLayout();
          for (const zoom of [1, 0.6, 0.25]) ((reprise.scene.zoom = zoom), reprise.scene.draw(pen, all, zoom, palette));
          return found;
        });
        assert.deepEqual(pale, [], `${mode}, ${dark ? 'dark' : 'light'}`);
      }
      for (const tab of ['timeline', 'slow', 'memory', 'compare']) {
        await page.evaluate((t) => reprise.openTab(t), tab);
        assert.deepEqual(await judge(), [], `${tab}, ${dark ? 'dark' : 'light'}`);
      }
    }
    for (const mode of modes.filter((m) => m !== 'none'))
      assert.notEqual(legends[mode], legends.none, `the legend says what ${mode} looks like`);
    for (const share of [/bucket windows, [0-9.]+%/, /ntt, [0-9.]+%/]) assert.match(legends.kind, share);
    await page.evaluate(() => reprise.openTab('memory'));
    assert.match(await page.textContent('#key'), /Values by phase:.*MSM of H, [0-9.]+%/);
    assert.deepEqual(noted, []);
    await page.close();
  },
});
