import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeIn, readPage, tablesIn } from '../../support/markdown';

const ROOT = join(__dirname, '../../..');
const NAMED_FILE = /`((?:src|jobs|workers|test|scripts|docs|console|client|deploy)\/[\w./-]+)`/g;
const PAGES = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...pagesIn('docs')];

function pagesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? pagesIn(path) : path.endsWith('.md') ? [path] : [];
  });
}

/** The anchor of a heading, as GitHub and GitLab generate it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function anchorsIn(path: string): string[] {
  return [...readPage(path).matchAll(/^#+ (.*)$/gm)].map((heading) => anchorOf(heading[1] ?? ''));
}

describe('the documentation', () => {
  for (const page of PAGES) {
    it(`links only to existing files and headings: ${page}`, () => {
      for (const [, target = ''] of readPage(page).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https?:/.test(target)) continue;
        const [path = '', anchor] = target.split('#');
        const file = path === '' ? page : join(dirname(page), path);
        assert.ok(existsSync(join(ROOT, file)), `${target} does not exist`);
        if (anchor !== undefined) assert.ok(anchorsIn(file).includes(anchor), `${target} is no heading`);
      }
    });

    it(`holds no mark of a merge that was not finished: ${page}`, () => {
      assert.doesNotMatch(readPage(page), /^(<{7}|={7}|>{7})( |$)/m);
    });

    it(`names only files that exist: ${page}`, () => {
      const text = readPage(page).replace(/^```[\s\S]*?^```$/gm, '');
      for (const [, path = ''] of text.matchAll(NAMED_FILE)) {
        const isThere = [path, `${path}.ts`].some((name) => existsSync(join(ROOT, name)));
        assert.ok(isThere, `${path} does not exist`);
      }
    });
  }

  it('shows every folder of the sources in the architecture, and no other', () => {
    const tree = readPage('docs/architecture.md').match(/^## Source tree\n+```\n([\s\S]*?)^```$/m)?.[1] ?? '';
    const inside = tree.split('\n').filter((line) => line.startsWith('  ') && !line.startsWith('   '));
    const shown = inside.flatMap((line) => line.match(/[a-z-]+(?=\/)/g) ?? []);
    const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    assert.deepEqual(shown.sort(), folders.map(({ name }) => name).sort());
  });

  it('names the pages of the console by the words that they have on the screen', () => {
    const words = Object.keys(JSON.parse(readPage('console/languages/de.json')));
    for (const [page, named] of [
      ['docs/ways-in.md', ['Connect a device']],
      ['docs/mqtt.md', ['MQTT sources', 'Latest messages']],
    ] as const) {
      for (const name of named) {
        assert.ok(readPage(page).includes(`*${name}*`), `${page} does not name ${name}`);
        assert.ok(words.includes(name), `the console has no ${name}`);
      }
    }
  });

  it('lists every page of docs in the README', () => {
    const readme = readPage('README.md');
    for (const page of readdirSync(join(ROOT, 'docs'))) {
      assert.ok(readme.includes(`](docs/${page})`), `docs/${page} is not listed`);
    }
  });

  it('lists every setting with its default on the page of settings', () => {
    const declared = [...readPage('src/platform/config.ts').matchAll(/^ {2}([A-Z_]+): (.*)/gm)];
    assert.ok(declared.length > 15, `${declared.length} settings`);
    const rows = tablesIn(readPage('docs/operate/settings.md')).flatMap(({ rows }) =>
      rows.filter((row) => 'setting' in row),
    );
    for (const [, name = '', schema = ''] of declared) {
      const row = rows.find((each) => each.setting?.includes(`\`${name}\``));
      assert.ok(row, `${name} is not listed`);
      const fallback = /^number\(([\d_]+)/.exec(schema)?.[1] ?? /default\('(\w+)'\)/.exec(schema)?.[1];
      if (fallback !== undefined) assert.equal(codeIn(row.default), fallback.replaceAll('_', ''), name);
    }
  });
});
