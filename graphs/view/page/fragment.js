// SPDX-License-Identifier: Apache-2.0 OR MIT
// The view in the fragment of the address, so that it can be shared.
import { LEAST } from './scene.js';

const flags = ['path', 'memory', 'constants', 'dark'];

export function readFragment() {
  const q = new URLSearchParams(location.hash.slice(1)),
    saved = {};
  for (const key of ['level', 'colour', 'tab', 'chosen']) if (q.has(key)) saved[key] = q.get(key);
  for (const key of flags) if (q.has(key)) saved[key] = q.get(key) === '1';
  for (const key of ['run', 'other']) if (/^[0-9]+$/.test(q.get(key) || '')) saved[key] = Number(q.get(key));
  const at = (q.get('at') || '').split(',').map(Number);
  if (at.length === 3 && at.every(Number.isFinite) && at[2] > 0)
    [saved.x, saved.y, saved.zoom] = [at[0], at[1], Math.min(4, Math.max(LEAST, at[2]))];
  if (q.has('open')) saved.open = new Set(q.get('open').split('.'));
  return saved;
}

let timer = 0;
export function writeFragment(app) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const { state, scene } = app,
      q = new URLSearchParams();
    (q.set('level', state.level), q.set('colour', state.colour), q.set('tab', app.tab));
    for (const key of flags) q.set(key, state[key] ? '1' : '0');
    q.set('run', app.current);
    if (app.otherIndex !== '' && app.otherIndex !== undefined) q.set('other', app.otherIndex);
    if (state.chosen) q.set('chosen', state.chosen.id);
    const open = state.graph.scopes.filter((s) => s.open).map((s) => s.id);
    if (open.length < 200) q.set('open', open.join('.'));
    q.set('at', `${scene.x.toFixed(0)},${scene.y.toFixed(0)},${scene.zoom.toFixed(4)}`);
    try {
      history.replaceState(null, '', `#${q}`);
    } catch {
      /* a page in a frame may not */
    }
  }, 250);
}
