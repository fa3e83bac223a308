import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isAlive } from '../support/is-alive';
import { until } from '../support/until';

const script = `
  import { Guard } from ${JSON.stringify(pathToFileURL(join(__dirname, '../../scripts/support/guard.mjs')).href)};
  const guard = new Guard();
  const options = { stdio: ['ignore', 'pipe', 'ignore'], order: 1, waitMs: 100 };
  const shell = guard.spawn('sh', ['-c', 'trap "" TERM; sleep 60 & echo $!; wait'], options);
  const started = await new Promise((resolve) => shell.stdout.once('data', resolve));
  await guard.stop(shell);
  await guard.close();
  console.log(shell.pid, String(started));
  process.exit();
`;

describe('a guard of processes', () => {
  it('leaves nothing of a process that does not end when asked, nor of what it has started', async () => {
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    const pids = output.trim().split(/\s+/).map(Number);
    assert.equal(pids.length, 2, output);
    await until('both have ended', () => !pids.some(isAlive), 10_000);
  });
});
