// SPDX-License-Identifier: Apache-2.0 OR MIT
// Bundles the page into one HTML file: node build.mjs FOLDER_WITH_NODE_MODULES OUTPUT VERSION
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const LIMIT = 300 * 1024;
const here = dirname(fileURLToPath(import.meta.url));
const [modules, output, version] = process.argv.slice(2);
const { buildSync } = createRequire(join(resolve(modules), 'package.json'))('esbuild');

const bundle = (name) =>
  buildSync({
    entryPoints: [join(here, name)],
    bundle: true,
    minify: true,
    write: false,
    target: ['es2020'],
    charset: 'utf8',
    format: name.endsWith('.js') ? 'iife' : undefined,
    legalComments: 'inline',
    logLevel: 'error',
  }).outputFiles[0].text.trim();

const put = (page, mark, text) => {
  if (page.split(mark).length !== 2) throw new Error(`page.html must contain ${mark} once`);
  return page.replace(mark, () => text);
};
let page = readFileSync(join(here, 'page.html'), 'utf8');
page = put(page, '<!-- style -->', `<style>${bundle('page.css')}</style>`);
page = put(page, '<!-- script -->', `<script>${bundle('main.js').replaceAll('</script', '<\\/script')}</script>`);
page = put(page, '<!-- version -->', version);
put(page, '<!-- documents -->', '');
if (Buffer.byteLength(page) > LIMIT) throw new Error(`the page has ${Buffer.byteLength(page)} bytes, over ${LIMIT}`);
writeFileSync(output, page);
