import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const ROOT = join(__dirname, '../..');

describe('npm run demo without a platform at its address', function () {
  this.timeout(60_000);
  const server = createServer((_, response) => response.writeHead(404).end());
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => server.close());

  it('says how it finds one at another address if none can be started', async () => {
    const { port } = server.address() as AddressInfo; // it listens on TCP
    const { DEMO_URL: _, ...env } = process.env;
    const demo = spawn(process.execPath, ['scripts/demo.mjs', '--short'], {
      cwd: ROOT,
      env: { ...env, PORT: String(port) },
    });
    const [[code], said] = await Promise.all([once(demo, 'exit'), text(demo.stderr), text(demo.stdout)]);
    assert.equal(code, 1, said);
    assert.match(said, new RegExp(`^Port ${port} is taken`));
    assert.match(said, /If one runs at another address: DEMO_URL=http:\/\/… npm run demo$/m);
    assert.doesNotMatch(said, /^ +at /m, 'no stack trace');
  });
});
