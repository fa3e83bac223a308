import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { UrlChannel } from '../../src/notifications/delivery/channels/url.channel';
import type { WebhookFormat } from '../../src/notifications/delivery/webhook-format';
import { AddressGuard } from '../../src/outbound/address-guard';
import { outgoing, SIGNING_SECRET, URL_CONTEXT } from '../support/channel-suite';
import { codeBlocksIn, readPage } from '../support/markdown';
import { freePort } from '../support/ports';
import { startReceiver } from '../support/receiver';
import { until } from '../support/until';

interface Case {
  headers: Record<string, string>;
  body: string;
}

const BLOCKS = codeBlocksIn(readPage('docs/webhooks.md'));
const SECOND_SECRET = `whsec_${Buffer.from('another secret, 24 bytes').toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(24).toString('base64')}`;

/** The last block of code in a language: the receiver that needs no library. */
function receiverIn(language: string): string {
  return BLOCKS.filter((block) => block.language === language).at(-1)?.text ?? assert.fail(`no ${language}`);
}

describe('the code that docs/webhooks.md shows to receivers', () => {
  const genuine = {} as Record<WebhookFormat, Case>;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'webhooks-doc-'));
    const receiver = await startReceiver();
    const channel = new UrlChannel(new AddressGuard(['127.0.0.0/8']), URL_CONTEXT);
    const signingSecrets = [SIGNING_SECRET, SECOND_SECRET];
    for (const format of ['form', 'json'] as const) {
      const webhookId = `msg_of_a_${format}`;
      await channel.send(
        outgoing({ destination: receiver.url, text: 'zu heiß: 31 °C', signingSecrets, format, webhookId }),
      );
      const request = receiver.received.at(-1);
      const names = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
      const headers = Object.fromEntries(names.map((name) => [name, String(request?.headers[name])]));
      genuine[format] = { headers, body: request?.rawBody ?? '' };
    }
    await Promise.all([channel.close(), receiver.close()]);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Requests that were changed on the way, and what must be answered to each. */
  const casesOf = ({ headers, body }: Case): [Case, number][] => {
    const changed = (change: Record<string, string>): Case => ({ body, headers: { ...headers, ...change } });
    const without = (name: string): Case => ({
      body,
      headers: Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name)),
    });
    const sent = Number(headers['webhook-timestamp']);
    return [
      [{ headers, body }, 204],
      [{ headers, body }, 204],
      [{ headers, body: `${body} ` }, 401],
      [changed({ 'webhook-id': 'msg_other' }), 401],
      [changed({ 'webhook-timestamp': String(sent - 1) }), 401],
      [changed({ 'webhook-timestamp': String(sent - 301) }), 401],
      [changed({ 'webhook-timestamp': 'now' }), 401],
      [changed({ 'webhook-signature': '' }), 401],
      [changed({ 'webhook-signature': 'v1,' }), 401],
      [changed({ 'webhook-signature': String(headers['webhook-signature']).replaceAll('v1', 'v2') }), 401],
      [without('webhook-id'), 401],
      [without('webhook-timestamp'), 401],
      [without('webhook-signature'), 401],
    ];
  };

  const post = async (port: number, { headers, body }: Case): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}/hook`, { method: 'POST', headers, body })).status;

  /** Runs a program of the page as a receiver with this secret, and returns what it wrote. */
  const running = async (command: readonly string[], secret: string, work: (port: number) => Promise<void>) => {
    const port = await freePort();
    const [program = '', ...args] = command;
    const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret, PYTHONUNBUFFERED: '1' };
    const child = spawn(program, args, { env, cwd: folder });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    try {
      await until('the program answers', () => {
        if (child.exitCode !== null) assert.fail(output);
        return post(port, genuine.form).then(
          () => true,
          () => false,
        );
      });
      await work(port);
    } finally {
      await stop(child);
    }
    return output;
  };

  const check = async (command: readonly string[]) => {
    const output = await running(command, SIGNING_SECRET, async (port) => {
      for (const [one, expected] of [...casesOf(genuine.form), ...casesOf(genuine.json)]) {
        assert.equal(await post(port, one), expected, JSON.stringify(one));
      }
    });
    assert.equal(output.split('msg_of_a_form').length, 2, `handled once:\n${output}`);
    assert.equal(output.split('msg_of_a_json').length, 2, `handled once:\n${output}`);
    assert.equal(output.split('zu heiß: 31 °C').length, 3, output);
    await running(command, SECOND_SECRET, async (port) => assert.equal(await post(port, genuine.json), 204));
    await running(command, OTHER_SECRET, async (port) => assert.equal(await post(port, genuine.json), 401));
  };

  it('verifies and answers in Node', async () => {
    writeFileSync(join(folder, 'receiver.cjs'), receiverIn('js'));
    await check([process.execPath, 'receiver.cjs']);
  });

  it('verifies and answers in Python', async function () {
    const version = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']);
    if (version.status !== 0) this.skip();
    writeFileSync(join(folder, 'receiver.py'), receiverIn('python'));
    await check(['python3', 'receiver.py']);
  });

  it('verifies and answers in Go', async function () {
    if (spawnSync('go', ['version']).status !== 0) this.skip();
    writeFileSync(join(folder, 'receiver.go'), receiverIn('go'));
    const env = { ...process.env, GO111MODULE: 'off', CGO_ENABLED: '0', GOCACHE: join(folder, 'cache') };
    const { status, stderr } = spawnSync('go', ['build', '-o', 'receiver', 'receiver.go'], { cwd: folder, env });
    assert.equal(status, 0, String(stderr));
    await check([join(folder, 'receiver')]);
  });

  it('reads JSON by the public library, which refuses forms as the page says', () => {
    const block = BLOCKS.find(({ language }) => language === 'js')?.text ?? assert.fail();
    const context = createContext({ require });
    runInContext(block, context);
    const read = runInContext('read', context);
    const { headers, body } = genuine.json;
    assert.equal(read(headers, body, SIGNING_SECRET).type, 'trigger.fired');
    assert.throws(() => read(headers, body, OTHER_SECRET), /No matching signature found/);
    assert.throws(() => read(genuine.form.headers, genuine.form.body, SIGNING_SECRET), SyntaxError);
  });
});

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}
