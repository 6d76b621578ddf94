// SPDX-License-Identifier: Apache-2.0 OR MIT
// Elements from calls. Text of documents only ever becomes text nodes.
export const el = (tag, attributes = {}, ...children) => {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes)) {
    if (k.startsWith('on')) e.addEventListener(k.slice(2), v);
    else if (v !== null && v !== undefined && v !== false) e.setAttribute(k, v === true ? '' : v);
  }
  e.append(...children.flat().filter((c) => c !== null && c !== undefined));
  return e;
};
export const byId = (id) => document.getElementById(id);
