import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { GUIDES } from '../../../src/api/docs/guide-table';

const ROOT = join(__dirname, '../../..');
/** For contributors, who have the repository. */
const UNPUBLISHED = ['docs/architecture.md', 'docs/performance-history.md', 'docs/style.md', 'docs/operate/release.md'];

describe('the guides in the product', () => {
  it('are all pages of docs, except for those that are for contributors', () => {
    const pages = ['docs', 'docs/coming-from', 'docs/operate'].flatMap((folder) =>
      readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`),
    );
    const published = GUIDES.map(({ file }) => file);
    assert.deepEqual(
      pages.filter((page) => page.endsWith('.md') && !published.includes(page)),
      UNPUBLISHED,
    );
    for (const file of published) assert.ok(existsSync(join(ROOT, file)), file);
    assert.equal(new Set(GUIDES.map(({ name }) => name)).size, GUIDES.length);
  });
});
