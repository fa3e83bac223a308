import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Debian's package galera-4. */
const LIBRARIES = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'];

describe('the platform on clusters', () => {
  it('loses and doubles nothing while a Galera node is killed, one is stopped, and a Redis master is killed', async function () {
    if (!LIBRARIES.some(existsSync)) this.skip();
    this.timeout(9 * 60_000);
    const { MYSQL_URL: _, REDIS_URL: __, ...env } = process.env; // it starts its own servers
    const child = spawn(process.execPath, [join(__dirname, '../../../scripts/cluster.mjs'), '--short'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
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
