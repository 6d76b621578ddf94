// SPDX-License-Identifier: Apache-2.0 OR MIT
// Reads the documents, and connects views, controls and keys.
import { modes } from './colours.js';
import { details } from './details.js';
import { byId, el } from './dom.js';
import { readFragment, writeFragment } from './fragment.js';
import { listen } from './input.js';
import { arrange, extent } from './layout.js';
import { keyOf, legendOf } from './legend.js';
import { Memory } from './memory.js';
import { DocumentError, Model } from './model.js';
import { Outline } from './outline.js';
import { Scene } from './scene.js';
import { State } from './state.js';
import { compare, help, slow } from './tables.js';
import { Timeline } from './timeline.js';
import { bytes, time } from './words.js';

class App {
  constructor(models) {
    this.state = new State(models);
    this.scene = new Scene(byId('graph'), byId('minimap'), this.state);
    this.timeline = new Timeline(byId('panel'), this.state);
    this.memory = new Memory(byId('panel'), this.state, (item) => this.choose(item, true));
    this.outline = new Outline(byId('tree'), this.state, (item, toggle) => {
      this.choose(item);
      if (toggle) this.toggle(item);
    });
    this.tab = 'timeline';
    this.go = (item) => this.choose(item, true);
    this.zoomTo = (item) => (this.openTab('timeline'), this.timeline.zoomTo(item));
  }
  start() {
    const { state } = this;
    this.setTheme(matchMedia('(prefers-color-scheme: dark)').matches, false);
    const runs = state.models.flatMap((model, m) =>
      (model.runs.length ? model.runs : [null]).map((run, r) => ({ model, m, r, run })),
    );
    this.runs = runs;
    const name = (x, i) =>
      `${String.fromCharCode(65 + i)}: ${x.model.label}` +
      `${x.model.runs.length > 1 ? `, run ${x.r + 1}` : ''}${x.run ? `, ${time(x.run.latency_ns)}` : ''}`;
    byId('run').replaceChildren(...runs.map((x, i) => el('option', { value: i }, name(x, i))));
    byId('other').replaceChildren(
      el('option', { value: '' }, 'nothing'),
      ...runs.map((x, i) => el('option', { value: i }, name(x, i))),
    );
    for (const label of document.querySelectorAll('label.run')) label.hidden = runs.length < 2;
    byId('colour').replaceChildren(...modes.map(([value, text]) => el('option', { value }, text)));
    const saved = readFragment();
    this.current = 0;
    if (!state.model.steps) (document.body.classList.add('alone'), (state.colour = 'kind'));
    this.restore(saved);
    listen(this);
    this.changeGraph(!saved.zoom);
    if (saved.zoom) (Object.assign(this.scene, { zoom: saved.zoom, x: saved.x, y: saved.y }), this.scene.redraw());
    document.title = `${state.model.name} – Reprise`;
    document.body.dataset.ready = 'yes';
  }
  restore(saved) {
    const { state } = this;
    if (saved.level === 'steps' && state.model.steps) state.level = 'steps';
    if (modes.some((m) => m[0] === saved.colour)) state.colour = saved.colour;
    for (const key of ['path', 'memory', 'constants']) if (saved[key] !== undefined) state[key] = saved[key];
    if (this.runs[saved.run]) this.setRun(saved.run, false);
    const second = this.runs.findIndex((x) => x.model !== state.model); // of another document
    this.setOther(this.runs[saved.other] ? saved.other : second, false);
    if (saved.open)
      for (const s of state.graph.scopes)
        ((s.open = s === state.graph.root || saved.open.has(s.id)), (state.graph.opened = true));
    if (['timeline', 'slow', 'memory', 'compare'].includes(saved.tab)) this.tab = saved.tab;
    if (saved.chosen) state.chosen = state.graph.byId.get(saved.chosen) || null;
    if (saved.dark !== undefined) this.setTheme(saved.dark, false);
  }
  // Phases are open as far as what is seen stays legible.
  openSome(g) {
    if (g.opened) return;
    g.opened = true;
    arrange(g, { constants: false });
    const queue = g.root.children.filter((c) => c.isPhase && c.children.length < 60),
      stage = byId('drawing');
    const fits = () => {
      const v = extent(g);
      return Math.min((stage.clientWidth - 40) / v.w, (stage.clientHeight - 40) / v.h) > 0.55;
    };
    for (let tries = 0; queue.length && tries < 20; tries++) {
      const p = queue.shift();
      p.open = true;
      if (!fits()) p.open = false;
      else queue.push(...p.children.filter((c) => c.isPhase));
    }
  }
  setRun(i, apply = true) {
    const { state } = this,
      x = this.runs[i];
    ((state.model = x.model), (state.run = x.r), (this.current = i));
    ((state.chosen = null), (state.hits = null));
    if (!state.model.steps) state.level = 'ops';
    state.update();
    if (apply) this.changeGraph(true);
  }
  setOther(i, apply = true) {
    const x = this.runs[i];
    this.state.other = x && i !== this.current ? { model: x.model, run: x.r } : null;
    this.otherIndex = this.state.other ? i : '';
    this.state.update();
    if (apply) this.changeRun();
  }
  changeGraph(fit) {
    (this.showFigures(), this.showLegend(), this.showDetails()); // which take room from the graph
    this.openSome(this.state.graph);
    this.scene.use(this.state.graph);
    this.changeRun();
    if (fit) this.scene.fit();
  }
  changeRun() {
    this.used = new Set(); // of views below, which are made when they are looked at
    if (this.state.model.steps) this.use(this.tab);
    this.changeLayout();
    this.openTab(this.tab);
    this.showFigures();
  }
  use(tab) {
    if (this.used.has(tab)) return;
    this.used.add(tab);
    if (tab === 'timeline') this.timeline.use();
    if (tab === 'memory') this.memory.use();
  }
  changeLayout() {
    this.scene.relayout();
    this.state.findPathEdges(this.scene.view.edges);
    this.outline.use();
    this.changeLook();
  }
  changeLook() {
    const { state } = this;
    for (const b of document.querySelectorAll('[data-level]'))
      (b.setAttribute('aria-pressed', String(b.dataset.level === state.level)),
        (b.disabled = b.dataset.level === 'steps' && !state.model.steps));
    ((byId('colour').value = state.colour),
      (byId('run').value = this.current),
      (byId('other').value = this.otherIndex ?? ''));
    ((byId('show-path').checked = state.path),
      (byId('show-memory').checked = state.memory),
      (byId('show-constants').checked = state.constants));
    (this.showDetails(), this.showLegend());
    this.scene.redraw();
    if (this.tab === 'timeline' && state.model.steps) this.timeline.paint();
    if (this.tab === 'memory' && state.model.steps) this.memory.paint();
    this.save();
  }
  showDetails() {
    const box = byId('details'),
      had = box.contains(document.activeElement);
    box.replaceChildren(...details(this.state, this.state.chosen, this.go, this.zoomTo).filter(Boolean));
    if (had) box.focus(); // what had the focus is gone
  }
  showFigures() {
    const { model, timing } = this.state,
      plan = model.recording && model.recording.plan;
    byId('title').textContent = model.name;
    const figure = (name, value) => el('span', {}, `${name} `, el('b', {}, value));
    byId('figures').replaceChildren(
      ...[
        timing.run ? figure('latency', time(timing.latency)) : null,
        plan ? figure(timing.measured ? 'critical path' : 'predicted', time(timing.pathNs)) : null,
        plan
          ? figure('dispatches', plan.dispatches.toLocaleString('en'))
          : figure('operations', model.ops.nodes.filter((n) => !n.port).length.toLocaleString('en')),
        plan ? figure('arena', bytes(plan.arena_bytes)) : null,
        model.devices.length ? figure('on', model.deviceNames.join(', ')) : null,
      ].filter(Boolean),
    );
  }
  showLegend() {
    byId('legend').replaceChildren(...legendOf(this.state));
    byId('key').replaceChildren(...(this.state.model.steps ? keyOf(this) : []));
  }
  choose(item, show = false) {
    const { state } = this;
    if (item && !state.graph.byId.has(item.id))
      ((state.level = state.level === 'ops' ? 'steps' : 'ops'),
        this.openSome(state.graph),
        this.scene.use(state.graph),
        this.changeLayout());
    else if (item && state.graph.byId.get(item.id) !== item) return;
    state.chosen = item;
    if (item && show) {
      let opened = false;
      for (let p = item.parent; p; p = p.parent) if (!p.open) p.open = opened = true;
      if (opened) this.changeLayout();
      this.scene.show(item, opened);
    }
    this.changeLook();
    this.outline.show(item);
    this.outline.paint();
    for (const row of byId('panel').querySelectorAll('tbody tr'))
      row.setAttribute('aria-selected', String(Boolean(item) && row.dataset.id === item.id));
    const said = [...(byId('details').querySelector('dl')?.children || [])].map((x) => x.textContent);
    byId('live').textContent = item ? [item.title, ...said].join(', ') : 'nothing is chosen';
  }
  toggle(item) {
    if (!item || !item.isPhase || item === this.state.graph.root) return;
    const before = { x: item.x, y: item.y };
    item.open = !item.open;
    this.changeLayout();
    ((this.scene.x += item.x - before.x), (this.scene.y += item.y - before.y));
    this.scene.redraw();
    byId('live').textContent = `${item.title} is ${item.open ? 'open' : 'closed'}`;
  }
  foldAll(open) {
    for (const s of this.state.graph.scopes) s.open = open || s === this.state.graph.root;
    this.changeLayout();
    this.scene.fit();
  }
  setLevel(level) {
    if (level === this.state.level || (level === 'steps' && !this.state.model.steps)) return;
    const chosen = this.state.chosen;
    ((this.state.level = level), (this.state.hits = null));
    this.state.chosen = null;
    this.changeGraph(true);
    if (chosen && !chosen.isPhase) {
      const same = level === 'steps' ? chosen.steps && chosen.steps[0] : chosen.op;
      if (same) this.choose(same, true);
    }
  }
  search(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean),
      { state } = this;
    const fits = (t) => {
      const all =
        `${t.title} ${t.path} ${t.sub || ''} ` +
        `${t.step ? `${t.step.kernel} ${t.step.op}` : t.node ? t.node.op : ''}`.toLowerCase();
      return words.every((w) => all.includes(w));
    };
    state.hits = words.length
      ? new Set(
          [...state.graph.scopes.slice(1), ...state.graph.nodes].filter(
            (t) => (t.port !== 'constant' || state.constants) && fits(t),
          ),
        )
      : null;
    this.outline.use();
    this.scene.redraw();
    byId('found').textContent = state.hits ? `${state.hits.size} found` : '';
    byId('live').textContent = byId('found').textContent;
  }
  nextHit() {
    const hits = [...(this.state.hits || [])];
    if (hits.length) this.choose(hits[(hits.indexOf(this.state.chosen) + 1) % hits.length], true);
  }
  walkPath(by) {
    const { state } = this,
      path = state.timing.path;
    if (!path.length) return;
    if (state.level !== 'steps') this.setLevel('steps');
    const at = state.chosen && state.chosen.step ? path.indexOf(state.chosen.index) : -1;
    this.choose(state.model.steps.steps[path[(at + by + path.length) % path.length]], true);
  }
  openTab(tab) {
    const { state } = this,
      panel = byId('panel');
    this.tab = tab;
    for (const b of document.querySelectorAll('[role=tab]'))
      (b.setAttribute('aria-selected', String(b.id === `tab-${tab}`)), (b.tabIndex = b.id === `tab-${tab}` ? 0 : -1));
    panel.setAttribute('aria-labelledby', `tab-${tab}`);
    if (!state.model.steps) return;
    panel.scrollTop = 0;
    this.use(tab);
    this.showLegend();
    if (tab === 'timeline') this.timeline.open();
    if (tab === 'memory') this.memory.open();
    if (tab === 'slow') panel.replaceChildren(...slow(state, this.go));
    if (tab === 'compare') panel.replaceChildren(...compare(state, this.go));
    byId('hint').textContent =
      tab === 'timeline' && !state.timing.measured ? 'no run was measured: costs are what the planner assumes' : '';
    this.save();
  }
  setTheme(dark, apply = true) {
    this.state.dark = dark;
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    if (apply) this.changeLook();
  }
  // On paper: light, all of the graph, and views as wide as a page.
  print(on) {
    if (on === Boolean(this.beforePrint)) return;
    const was = this.beforePrint || { dark: this.state.dark, zoom: this.scene.zoom, x: this.scene.x, y: this.scene.y },
      { view } = this.scene;
    this.beforePrint = on ? was : null;
    document.body.classList.toggle('paper', on);
    byId('drawing').style.height = on ? `${Math.min(760, Math.max(200, (660 * view.h) / view.w + 40))}px` : '';
    this.setTheme(on ? false : was.dark);
    if (on) this.scene.fit();
    else (Object.assign(this.scene, { zoom: was.zoom, x: was.x, y: was.y }), this.scene.redraw());
    this.scene.paint();
  }
  showHelp() {
    const box = byId('help');
    if (box.open) return;
    box.replaceChildren(...help(() => box.close()));
    box.showModal();
    box.scrollTop = 0;
  }
  save() {
    writeFragment(this);
  }
}

function begin() {
  try {
    const texts = [...document.querySelectorAll('script.document')];
    if (!texts.length) throw new DocumentError('the page holds no document');
    const models = texts.map((t) => new Model(JSON.parse(t.textContent)));
    for (const t of texts) t.remove();
    (window.reprise = new App(models)).start();
  } catch (error) {
    byId('main').replaceChildren(
      el('p', { class: 'note', role: 'alert', style: 'padding:20px' }, `This page cannot be shown: ${error.message}.`),
    );
    document.body.classList.add('alone');
    if (!(error instanceof DocumentError)) console.error(error);
  }
}
begin();
