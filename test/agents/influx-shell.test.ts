import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Front, startFront } from '../support/agents/front';
import { INFLUX_SHELL, skipWithout } from '../support/agents/programs';
import { storedLines } from '../support/agents/stored-series';
import { createKey } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';

const BEGIN_MS = Date.UTC(2026, 10, 26, 10);
/** More than the 5,000 lines that the shell sends at once. */
const LINES = 12_000;
const NUMBERS = Array.from({ length: LINES }, (_, index) => index);
const EXPORT = `# DDL
CREATE DATABASE home

# DML
# CONTEXT-DATABASE: home
# CONTEXT-RETENTION-POLICY: autogen

${NUMBERS.map((index) => `air,room=r${index % 20} celsius=${index} ${BEGIN_MS + index}000000`).join('\n')}
`;

describe('the shell of InfluxDB 1', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  let front: Front;
  let folder: string;
  let options: string[];

  before(async function () {
    await skipWithout(this, INFLUX_SHELL);
    front = await startFront(platform.url);
    folder = await mkdtemp(join(tmpdir(), 'sensors-shell-'));
    await writeFile(join(folder, 'export.txt'), EXPORT);
    const { secret } = await createKey(user, { scopes: ['data:write', 'sensors:create'] });
    options = ['-host', '127.0.0.1', '-port', new URL(front.url).port, '-username', 'anyone', '-password', secret];
  });
  after(async () => {
    await front?.close();
    if (folder) await rm(folder, { recursive: true });
  });

  const influx = async (...args: string[]) => {
    const ended = promisify(execFile)('influx', [...options, ...args], { cwd: folder, timeout: 60_000 });
    const { stdout, stderr } = await ended.catch((error: { stdout: string; stderr: string }) => error);
    return stdout + stderr;
  };
  const importExport = () => influx('-import', '-path', 'export.txt');
  const assertAllStored = async () => {
    const wanted = NUMBERS.map((index) => `air,room=r${index % 20} ${BEGIN_MS + index} {"celsius":${index}}`);
    assert.deepEqual(await storedLines(user), wanted.sort());
  };

  it('reports the lines of a batch that was answered by an error as failed', async () => {
    for (const status of [401, 403, 413, 429, 503]) {
      front.faults = [{ status }];
      assert.match(await importExport(), /Failed 5000 inserts/, String(status));
    }
    assert.equal((await storedLines(user)).length, LINES - 5_000);
  });

  it('imports its export, also again', async () => {
    assert.match(await importExport(), /Processed 1 commands[\s\S]*Processed 12000 inserts[\s\S]*Failed 0 inserts/);
    await assertAllStored();
  });

  it('inserts a line, which the platform dates', async () => {
    assert.equal(await influx('-database', 'home', '-execute', 'INSERT door,room=hall value=1'), '');
    assert.match((await storedLines(user)).at(-1) ?? '', /^door,room=hall \d+ 1$/);
  });
});
