import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
/** Other tests of the night run at the same time; the check takes 170 s of processor time. */
const LIMIT_MS = 900_000;

describe('a release', () => {
  it('runs from what it publishes: the client is installed, and the files of the image store its point', function () {
    this.timeout(LIMIT_MS + 60_000);
    // The check starts servers of its own.
    const { MYSQL_URL, REDIS_URL, ...env } = process.env;
    const options = { cwd: ROOT, env, encoding: 'utf8', timeout: LIMIT_MS } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/release-check.mjs'], options);
    assert.equal(status, 0, `${stdout}${stderr}`);
    assert.match(stdout, /the client is packed, and installed in an empty folder/);
    assert.match(stdout, /the platform runs from the files of the image/);
  });
});
