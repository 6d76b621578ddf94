// SPDX-License-Identifier: Apache-2.0 OR MIT
// The tree of phases and nodes, of which only the rows in view exist. It is what screen readers read.
import { el } from './dom.js';
import { time } from './words.js';

const ROW = 24;

export class Outline {
  constructor(tree, state, on) {
    Object.assign(this, { tree, box: tree.parentElement, state, on, rows: [] });
    this.box.addEventListener('scroll', () => this.paint());
  }
  use() {
    this.rows = [];
    const walk = (p) => {
      const children = p.children.filter((c) => c.port !== 'constant' || this.state.constants);
      children.forEach((c, i) => {
        this.rows.push({ item: c, place: i + 1, of: children.length });
        if (c.isPhase && c.open) walk(c);
      });
    };
    walk(this.state.graph.root);
    if (this.state.hits)
      this.rows = [...this.state.hits].map((item, i, all) => ({ item, place: i + 1, of: all.length }));
    this.tree.style.height = `${this.rows.length * ROW}px`;
    this.paint();
  }
  show(item) {
    const i = this.rows.findIndex((r) => r.item === item);
    if (i < 0) return;
    const top = i * ROW,
      { scrollTop, clientHeight } = this.box;
    if (top < scrollTop || top + ROW > scrollTop + clientHeight) this.box.scrollTop = top - clientHeight / 2;
    this.paint();
  }
  step(by) {
    const i = this.rows.findIndex((r) => r.item === this.state.chosen);
    const next = this.rows[Math.max(0, Math.min(this.rows.length - 1, i < 0 ? 0 : i + by))];
    return next && next.item;
  }
  figure(item, ns) {
    const text = this.state.isLeftOut(item) ? 'left out' : ns ? time(ns) : '';
    return text ? el('span', { class: 'figure' }, text) : null;
  }
  paint() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - 5),
      end = Math.min(this.rows.length, first + Math.ceil((this.box.clientHeight || 400) / ROW) + 10);
    const made = [];
    for (let i = first; i < end; i++) {
      const { item, place, of } = this.rows[i],
        s = item.port ? {} : this.state.summary(item),
        chosen = item === this.state.chosen;
      made.push(
        el(
          'div',
          {
            class: 'row',
            role: 'treeitem',
            id: `row-${item.id}`,
            'aria-level': Math.max(1, item.depth),
            'aria-posinset': place,
            'aria-setsize': of,
            'aria-expanded': item.isPhase ? String(item.open) : null,
            'aria-selected': String(chosen),
            title: item.path,
            style: `top:${i * ROW}px;padding-left:${(this.state.hits ? 1 : item.depth) * 12}px`,
            onclick: (e) => this.on(item, e.detail > 1 || (item.isPhase && e.offsetX < item.depth * 12 + 14)),
          },
          el('span', { 'aria-hidden': 'true' }, item.isPhase ? (item.open ? '▾' : '▸') : item.port ? '○' : '·'),
          el('span', { class: 'name' }, item.title),
          this.figure(item, s.ns),
        ),
      );
    }
    this.tree.replaceChildren(...made);
    const chosen = this.state.chosen && document.getElementById(`row-${this.state.chosen.id}`);
    if (chosen) this.tree.setAttribute('aria-activedescendant', chosen.id);
    else this.tree.removeAttribute('aria-activedescendant');
  }
}
