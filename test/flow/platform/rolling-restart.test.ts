import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Balancer, startBalancer } from '../../support/balancer';
import { buildSensor } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { startApiElsewhere } from '../../support/other-process';
import { Stopwatch } from '../../support/stopwatch';
import { until } from '../../support/until';

const CLIENTS = 24;
const RESTARTS = 4;
const PAUSE_MS = 200;
/** As by default: longer than many checks of the balancer. */
const DELAY_MS = 3_000;
const END_MS = 4_000;

describe('a restart of one API process after the other', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  let apis: { child: ChildProcess; url: string }[] = [];
  let balancer: Balancer | undefined;
  let sensorId = '';
  let leaving: ChildProcess | undefined;

  before(async () => {
    sensorId = await buildSensor(user);
    apis = await Promise.all([start(), start()]);
    await Promise.all(apis.map(({ url }) => until('the API is ready', () => isReady(url))));
    balancer = await startBalancer(apis.map(({ url }) => url));
  });
  after(async () => {
    await balancer?.close();
    for (const { child } of apis) child.kill('SIGKILL');
    leaving?.kill('SIGKILL');
  });

  const start = (settings: Record<string, string> = {}) =>
    startApiElsewhere(platform, platform.container.config.redisUrl, {
      SHUTDOWN_DELAY_MS: String(DELAY_MS),
      ...settings,
    });
  const isReady = async (url: string) => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200;

  /** Sends one request after the other over one connection until the end; a request in five goes to express. */
  async function keepAsking(url: string, client: number, isOver: () => boolean): Promise<string[]> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const failed: string[] = [];
    let sent = 0;
    for (; !isOver(); sent += 1) {
      const upload = { method: 'POST', path: `/sensors/${sensorId}/data`, body: point(client * 1_000_000 + sent) };
      const asked = sent % 5 === 4 ? { method: 'GET', path: `/sensors/${sensorId}`, body: '' } : upload;
      const status = await ask(url, asked, agent).catch(String);
      if (status !== 201 && status !== 200) failed.push(`${asked.method} ${asked.path}: ${status}`);
      await sleep(PAUSE_MS);
    }
    agent.destroy();
    assert.ok(sent > 10, `client ${client} sent ${sent} requests only`);
    return failed;
  }

  const point = (at: number) => JSON.stringify({ data: { value: 1, date: 1_600_000_000 + at } });

  function ask(
    url: string,
    { method, path, body }: { method: string; path: string; body: string },
    agent: Agent,
  ): Promise<number | undefined> {
    const headers = {
      'x-session_id': user.session,
      ...(body && { 'content-type': 'application/json', 'content-length': String(body.length) }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(`${url}${path}`, { method, headers, agent }, (response) => {
        response.once('error', reject);
        response.resume().once('end', () => resolve(response.statusCode));
      });
      sent.once('error', reject);
      sent.end(body);
    });
  }

  it('fails no request, and ends each process within four seconds of the time that balancers get', async () => {
    const front = balancer;
    assert.ok(front);
    await until('the balancer has found the processes', () => front.ready() === apis.length);
    let isOver = false;
    const clients = Array.from({ length: CLIENTS }, (_, client) => keepAsking(front.url, client, () => isOver));
    const ends: number[] = [];
    for (let restart = 0; restart < RESTARTS; restart += 1) {
      const index = restart % apis.length;
      const { child, url } = apis[index] ?? assert.fail();
      const watch = new Stopwatch();
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      assert.deepEqual(await ended, [0, null]);
      ends.push(watch.stop());
      apis[index] = await start({ PORT: new URL(url).port });
      await until('the balancer has found it again', () => front.ready() === apis.length);
    }
    isOver = true;
    assert.deepEqual((await Promise.all(clients)).flat(), []);
    assert.deepEqual(front.failures, []);
    for (const ms of ends) assert.ok(ms < DELAY_MS + END_MS, `an API took ${Math.round(ms)} ms to end`);
  });

  it('answers until it ends, and asks clients without a balancer for another connection', async () => {
    const { child, url } = await start({ SHUTDOWN_DELAY_MS: '20000' });
    leaving = child;
    await until('the API is ready', () => isReady(url));
    child.kill('SIGTERM');
    await until('it is no longer ready', async () => !(await isReady(url)));
    const headers = { 'x-session_id': user.session, 'content-type': 'application/json' };
    const answers = await Promise.all([
      fetch(`${url}/readyz`),
      fetch(`${url}/sensors/${sensorId}/data`, { method: 'POST', headers, body: point(999_999_999) }),
      fetch(`${url}/sensors/${sensorId}`, { headers }),
    ]);
    assert.deepEqual(
      answers.map((answer) => [answer.status, answer.headers.get('connection')]),
      [503, 201, 200].map((status) => [status, 'close']),
    );
  });
});
