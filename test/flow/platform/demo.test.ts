import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { usePlatform } from '../../support/hooks';

const ROOT = join(__dirname, '../../..');

describe('npm run demo, in its short form', function () {
  this.timeout(120_000);
  const platform = usePlatform({ config: { MAIL_PER_USER_HOUR: '0', MAIL_PER_ADDRESS_HOUR: '0' } });

  it('replays real weather with the typed client, and every expected notification arrives exactly once', async () => {
    await platform.startWorkers(['evaluation', 'deliveries', 'schedule']);
    const { code, output } = await runDemo(platform.url);
    assert.equal(code, 0, output);
    assert.match(output, /every expected notification arrived exactly once/);
    const [, firings, deliveries] = /firings +(\d+)\ndeliveries +(\d+)/.exec(output) ?? [];
    assert.ok(Number(firings) > 5 && Number(deliveries) === 2 * Number(firings), output);
  });
});

function runDemo(url: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['scripts/demo.mjs', '--short'], {
    cwd: ROOT,
    env: { ...process.env, DEMO_URL: url },
    timeout: 100_000,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
