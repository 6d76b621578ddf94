// SPDX-License-Identifier: Apache-2.0 OR MIT
// Mouse, touch, wheel, keys and controls.
import { byId } from './dom.js';
import { standIn } from './layout.js';
import { bytes, time } from './words.js';

const place = (e, canvas) => {
  const r = canvas.getBoundingClientRect();
  return [e.clientX - r.left, e.clientY - r.top];
};

function tip(e, text) {
  const box = byId('tip');
  box.hidden = !text;
  if (!text) return;
  box.textContent = text;
  ((box.style.left = `${Math.min(e.clientX + 14, innerWidth - 380)}px`),
    (box.style.top = `${Math.min(e.clientY + 14, innerHeight - 60)}px`));
}

// Drags with any number of fingers; two of them zoom.
function drag(canvas, { move, zoom, click, hover }) {
  const fingers = new Map();
  let moved = 0;
  canvas.addEventListener('pointerdown', (e) => {
    (canvas.setPointerCapture(e.pointerId), fingers.set(e.pointerId, e), (moved = 0));
  });
  canvas.addEventListener('pointermove', (e) => {
    const before = fingers.get(e.pointerId);
    if (!before) return hover && hover(e, ...place(e, canvas));
    if (fingers.size === 2) {
      const other = [...fingers.values()].find((f) => f.pointerId !== e.pointerId),
        far = (f) => Math.hypot(f.clientX - other.clientX, f.clientY - other.clientY);
      zoom(far(e) / Math.max(1, far(before)), ...place(other, canvas));
    } else {
      move(e.clientX - before.clientX, e.clientY - before.clientY, e);
    }
    moved += Math.abs(e.clientX - before.clientX) + Math.abs(e.clientY - before.clientY);
    fingers.set(e.pointerId, e);
  });
  for (const end of ['pointerup', 'pointercancel'])
    canvas.addEventListener(end, (e) => {
      if (fingers.delete(e.pointerId) && end === 'pointerup' && moved < 5) click(e, ...place(e, canvas));
    });
  canvas.addEventListener('pointerleave', (e) => tip(e, ''));
  canvas.addEventListener(
    'wheel',
    (e) => {
      e.preventDefault();
      if (e.shiftKey) move(-e.deltaY - e.deltaX, 0, e);
      else zoom(Math.exp(-e.deltaY * (e.ctrlKey ? 0.01 : 0.0016)), ...place(e, canvas));
    },
    { passive: false },
  );
}

function graph(app) {
  const canvas = byId('graph'),
    { scene, state } = app;
  drag(canvas, {
    move: (dx, dy) => {
      (scene.pan(dx, dy), app.save());
    },
    zoom: (f, x, y) => {
      (scene.zoomAt(f, x, y), app.save());
    },
    click: (e, x, y) => {
      const item = scene.hit(x, y),
        again = item && item === state.chosen && e.timeStamp - app.clicked < 400;
      app.clicked = e.timeStamp;
      app.choose(item);
      if (again) app.toggle(item);
    },
    hover: (e, x, y) => {
      const item = scene.hit(x, y),
        s = item && !item.port && state.summary(item);
      canvas.style.cursor = item ? 'pointer' : 'grab';
      tip(e, item && scene.zoom < 0.75 ? `${item.title}\n${item.path}${s && s.ns ? `\n${time(s.ns)}` : ''}` : '');
    },
  });
  const map = byId('minimap'),
    to = (e) => scene.goMinimap(...place(e, map).map((p) => (p * map.width) / map.clientWidth));
  map.addEventListener('pointerdown', (e) => {
    (map.setPointerCapture(e.pointerId), to(e));
  });
  map.addEventListener('pointermove', (e) => {
    if (e.buttons) to(e);
  });
}

function panel(app) {
  const { timeline, memory, state } = app;
  drag(timeline.canvas, {
    move: (dx, dy, e) => {
      timeline.pan(dx);
      if (e.type === 'pointermove') byId('panel').scrollTop -= dy;
    },
    zoom: (f, x) => timeline.zoomAt(f, x),
    click: (e, x, y) => {
      const s = timeline.hit(x, y);
      if (s && s.index !== undefined) app.setRun(app.runs.findIndex((r) => r.model === state.model && r.r === s.index));
      else if (s && s.item && state.model.steps.byId.get(s.item.id) === s.item) app.choose(s.item, true);
    },
    hover: (e, x, y) => {
      const s = timeline.hit(x, y);
      tip(e, s ? `${s.title}${s.item ? `\n${s.item.path}` : ''}\n${time(s.end - s.begin)} from ${time(s.begin)}` : '');
    },
  });
  drag(memory.canvas, {
    move: () => {},
    zoom: () => {},
    click: (e, x, y) => {
      const b = memory.hit(x, y);
      memory.look(x);
      if (b) app.choose(b.first, true);
    },
    hover: (e, x, y) => {
      const b = memory.hit(x, y);
      tip(
        e,
        b
          ? `${b.v.name}\n${bytes(b.high - b.low)} at ${b.low.toLocaleString('en')}` +
              `${b.v.secret ? '\nsecret, wiped after the run' : ''}`
          : '',
      );
    },
  });
}

// To a neighbour along an edge, or among items beside it.
function neighbour(app, key) {
  const { state, scene } = app;
  if (key === 'ArrowLeft' || key === 'ArrowRight') return app.outline.step(key === 'ArrowLeft' ? -1 : 1);
  const at = state.chosen && standIn(state.chosen);
  if (!at) return scene.view.items.find((t) => !t.isPhase || !t.open);
  const near = scene.view.edges
    .filter((e) => (key === 'ArrowUp' ? e.to : e.from) === at)
    .map((e) => (key === 'ArrowUp' ? e.from : e.to));
  return near.sort((a, b) => state.onPath(b) - state.onPath(a))[0] || null;
}

// Keys on the panel below: the timeline zooms and moves, memory looks at another time. 1 if the key was one of these.
function inPanel(app, e) {
  if (e.target.id !== 'panel') return 0;
  const { timeline, memory, tab } = app,
    side = { ArrowLeft: -1, ArrowRight: 1 }[e.key],
    middle = timeline.canvas.clientWidth / 2;
  const act =
    tab === 'timeline'
      ? {
          '+': () => timeline.zoomAt(1.3, middle),
          '=': () => timeline.zoomAt(1.3, middle),
          '-': () => timeline.zoomAt(1 / 1.3, middle),
          0: () => timeline.zoomAt(1e-9, middle),
          [side ? e.key : '']: () => timeline.pan(-60 * side),
        }[e.key]
      : tab === 'memory' && side && (() => memory.step(side));
  if (act) act();
  return Boolean(act);
}

// Shift and arrows move what is seen of the graph.
function shiftedView(app, key) {
  const by = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[key];
  if (by) (app.scene.pan(...by), app.save());
  return Boolean(by);
}

function keys(app) {
  addEventListener('keydown', (e) => {
    const typing = ['INPUT', 'SELECT'].includes(e.target.tagName) && e.target.type !== 'checkbox';
    if (e.ctrlKey || e.metaKey || e.altKey || byId('help').open) return;
    if (e.key === 'Escape') {
      ((byId('search').value = ''), app.search(''), app.choose(null), byId('graph').focus());
      return;
    }
    if (e.target.id === 'search' && e.key === 'Enter') app.nextHit();
    if (typing) return;
    const on = ['graph', 'tree', ''].includes(e.target.id || ''),
      { scene } = app;
    if (inPanel(app, e) || (on && e.shiftKey && shiftedView(app, e.key))) {
      e.preventDefault();
      return;
    }
    const act = {
      '/': () => byId('search').focus(),
      '?': () => app.showHelp(),
      '+': () => scene.zoomAt(1.3, scene.w / 2, scene.h / 2),
      '=': () => scene.zoomAt(1.3, scene.w / 2, scene.h / 2),
      '-': () => scene.zoomAt(1 / 1.3, scene.w / 2, scene.h / 2),
      0: () => scene.fit(),
      c: () => app.walkPath(1),
      C: () => app.walkPath(-1),
      d: () => app.setLevel(app.state.level === 'ops' ? 'steps' : 'ops'),
      t: () => app.setTheme(!app.state.dark),
      z: () => app.state.chosen && app.zoomTo(app.state.chosen),
      1: () => app.openTab('timeline'),
      2: () => app.openTab('slow'),
      3: () => app.openTab('memory'),
      4: () => app.openTab('compare'),
    }[e.key];
    if (act) {
      (e.preventDefault(), act());
      return;
    }
    if (e.target.getAttribute && e.target.getAttribute('role') === 'tab' && e.key.startsWith('Arrow')) {
      const tabs = [...document.querySelectorAll('[role=tab]')],
        next = tabs[(tabs.indexOf(e.target) + (e.key === 'ArrowLeft' ? tabs.length - 1 : 1)) % tabs.length];
      (next.focus(), next.click());
      return;
    }
    if (!on || e.target.tagName === 'BUTTON') return;
    if (e.key === 'Enter') {
      (e.preventDefault(), app.toggle(app.state.chosen));
      return;
    }
    if (!e.key.startsWith('Arrow')) return;
    e.preventDefault();
    const next =
      e.target.id === 'tree'
        ? app.outline.step(e.key === 'ArrowUp' || e.key === 'ArrowLeft' ? -1 : 1)
        : neighbour(app, e.key);
    if (next) app.choose(next, true);
  });
}

function download(name, blob) {
  const a = document.createElement('a');
  ((a.href = URL.createObjectURL(blob)), (a.download = name));
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}

export function listen(app) {
  const { state } = app;
  (graph(app), panel(app), keys(app));
  for (const b of document.querySelectorAll('[data-level]')) b.onclick = () => app.setLevel(b.dataset.level);
  for (const b of document.querySelectorAll('[role=tab]')) b.onclick = () => app.openTab(b.id.slice(4));
  byId('colour').onchange = (e) => {
    ((state.colour = e.target.value), app.changeLook());
  };
  byId('run').onchange = (e) => app.setRun(Number(e.target.value));
  byId('other').onchange = (e) => app.setOther(e.target.value === '' ? -1 : Number(e.target.value));
  for (const key of ['path', 'memory', 'constants'])
    byId(`show-${key}`).onchange = (e) => {
      ((state[key] = e.target.checked), app.changeLayout());
    };
  ((byId('fold').onclick = () => app.foldAll(false)),
    (byId('unfold').onclick = () => app.foldAll(true)),
    (byId('fit').onclick = () => app.scene.fit()));
  byId('search').oninput = (e) => app.search(e.target.value);
  ((byId('theme').onclick = () => app.setTheme(!state.dark)), (byId('help-button').onclick = () => app.showHelp()));
  byId('svg').onclick = () =>
    download(`${state.model.name}.svg`, new Blob([app.scene.svg(state.model.name)], { type: 'image/svg+xml' }));
  byId('png').onclick = () => byId('graph').toBlob((blob) => download(`${state.model.name}.png`, blob));
  matchMedia('print').addEventListener('change', (e) => app.print(e.matches));
  (addEventListener('beforeprint', () => app.print(true)), addEventListener('afterprint', () => app.print(false)));
  new ResizeObserver(() => {
    (app.scene.redraw(), app.outline.paint());
    if (app.tab === 'timeline') app.timeline.paint();
    if (app.tab === 'memory') app.memory.paint();
  }).observe(byId('main'));
}
