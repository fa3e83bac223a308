import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const ROOT = join(__dirname, '../..');

const LAUNCHER = join(ROOT, 'scripts/launch.sh');
const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };
const PRINT_OPTIONS = ['-p', 'process.execArgv.join(" ")'];

function optionsOf(launcher: string, kind: string): { options: string[]; warnings: string } {
  const { stdout, stderr, status } = spawnSync('sh', [launcher, kind, ...PRINT_OPTIONS], { env, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const options = stdout.split(' ').filter((option) => option.startsWith('--'));
  return { options, warnings: stderr };
}

describe('the launcher of the processes', () => {
  it('gives both kinds of process the same options, except for young objects and threads', () => {
    const api = optionsOf(LAUNCHER, 'api');
    const worker = optionsOf(LAUNCHER, 'worker');
    assert.equal(`${api.warnings}${worker.warnings}`, '', 'this node knows all of them');
    const common = api.options.filter((option) => worker.options.includes(option));
    assert.deepEqual(common.sort(), [
      '--heap-growing-percent=50',
      '--max-old-space-size=1024',
      '--no-allocation-site-pretenuring',
    ]);
    assert.deepEqual(
      api.options.filter((option) => !common.includes(option)),
      ['--min-semi-space-size=16', '--max-semi-space-size=16'],
    );
    assert.deepEqual(
      worker.options.filter((option) => !common.includes(option)),
      ['--min-semi-space-size=32', '--max-semi-space-size=32', '--v8-pool-size=1'],
    );
  });

  it('leaves out an option that this node does not know, and says so', () => {
    const folder = mkdtempSync(join(tmpdir(), 'launcher-'));
    try {
      const launcher = join(folder, 'launch.sh');
      const text = readFileSync(LAUNCHER, 'utf8').replace('--heap-growing-percent=50', '--of-another-v8=1');
      writeFileSync(launcher, text);
      const { options, warnings } = optionsOf(launcher, 'worker');
      const all = optionsOf(LAUNCHER, 'worker').options;
      assert.deepEqual(
        options,
        all.filter((option) => option !== '--heap-growing-percent=50'),
      );
      assert.match(warnings, /^node does not know --of-another-v8=1: starting without it$/m);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('becomes the process itself, so that signals reach it', async () => {
    const script =
      "process.once('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1e6); console.log(process.pid)";
    const child = spawn('sh', [LAUNCHER, 'api', '-e', script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const [printed] = await once(child.stdout, 'data');
    assert.equal(Number(printed), child.pid);
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [7, null]);
  });

  it('refuses other kinds of process', () => {
    const { status, stderr } = spawnSync('sh', [LAUNCHER, 'console'], { env, encoding: 'utf8' });
    assert.equal(status, 64);
    assert.match(stderr, /^usage: /);
  });
});
