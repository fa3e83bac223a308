import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
/** Biome warns of files that are longer than 250 lines. */
const MOST_LINES = 400;

describe('the files of the processes', () => {
  it(`have at most ${MOST_LINES} lines`, () => {
    const files = ['src', 'jobs', 'workers'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(folder, String(name))),
    );
    const sources = files.filter((file) => file.endsWith('.ts') && !file.startsWith(join('src', 'generated')));
    assert.ok(sources.length > 0);
    const long = sources.filter((file) => readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1 > MOST_LINES);
    assert.deepEqual(long, []);
  });
});
