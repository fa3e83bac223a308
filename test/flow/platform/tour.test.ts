import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { usePlatform } from '../../support/hooks';
import { codeBlocksIn, readPage } from '../../support/markdown';

const TOUR = codeBlocksIn(readPage('docs/tour.md'))
  .filter(({ heading, language }) => heading === 'A tour of five minutes' && language === 'sh')
  .map(({ text }) => text)
  .join('\n');

/** Here the tour waits for the receiver's port and for what the receiver got, instead of for a fixed time. */
const WAITING = `
sleep() {
  for _ in $(seq 100); do
    if [ "$1" = 1 ] && grep -q . "$RECEIVED"; then break; fi
    if [ "$1" = 2 ] && grep -q text= "$RECEIVED"; then command sleep 1; break; fi
    command sleep 0.1
  done
}
`;

describe('the tour', () => {
  const platform = usePlatform({ config: { MAIL_CONFIRMATION: 'required' } });
  before(() => platform.startWorkers(['evaluation', 'events', 'deliveries', 'schedule']));

  for (const shell of ['bash', 'zsh']) {
    it(`can be pasted twice into ${shell}`, async function () {
      if (spawnSync(shell, ['-c', 'true']).error) this.skip();
      const output = await run(shell, `${WAITING}\n${TOUR}\n${TOUR}`, platform.url);
      const count = (pattern: RegExp) => (output.match(pattern) ?? []).length;
      assert.doesNotMatch(output, /"error":"[^"]/);
      assert.equal(count(/^\{"data":\{"accepted":1\}\}$/gm), 4, output);
      assert.equal(
        count(/^POST \/alerts msg_\w+\nsensor_id=\d+&trigger_id=\d+&text=greenhouse%3A\+31\.2/gm),
        2,
        output,
      );
      assert.equal(count(/^\{"firings":\[\{"id":"\d+".*"reason":"expression"/gm), 2, output);
      assert.equal(count(/"reason":"fired".*"reason":"false"/g), 2, output);
      assert.equal(count(/"status":"delivered"/g), 2, output);
      const mails = await platform.query("SELECT id FROM deliveries WHERE type = 'email' AND status = 'delivered'");
      assert.ok(mails.length >= 2, `${mails.length} mails`);
    });
  }
});

/** What a shell prints while it reads this text from its input. */
async function run(shell: string, text: string, api: string): Promise<string> {
  const child = spawn(shell, [shell === 'zsh' ? '-f' : '--norc'], {
    env: { ...process.env, API: api },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  // The whole group, because the shell leaves its receiver running when it is killed.
  const limit = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, 170_000);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  child.stdin.end(text);
  const status = await new Promise((resolve) => child.on('close', resolve));
  clearTimeout(limit);
  assert.equal(status, 0, output);
  return output;
}
