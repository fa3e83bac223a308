import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const { TORTURE_MINUTES = '1' } = process.env;

describe('the platform under torture', () => {
  it('loses, doubles and delays nothing while its processes, Redis and MySQL are killed', async function () {
    this.timeout(9 * 60_000);
    // It starts its own servers and processes, so that it may kill them.
    const { MYSQL_URL: _, REDIS_URL: __, ...env } = process.env;
    const child = spawn(
      process.execPath,
      [join(__dirname, '../../../scripts/torture.mjs'), '--minutes', TORTURE_MINUTES],
      {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    const [code] = await once(child, 'exit');
    assert.equal(code, 0, output);
    assert.match(output, /no fault; seed \d+/);
  });
});
