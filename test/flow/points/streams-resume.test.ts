import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { apiClient } from '../../support/api-client';
import { type EventStream, openStream } from '../../support/event-stream';
import { buildSensor, upload } from '../../support/factories';
import { useCuttable, usePlatform, useUserPerTest } from '../../support/hooks';
import { startApiElsewhere } from '../../support/other-process';
import { Stopwatch } from '../../support/stopwatch';
import { until } from '../../support/until';

const DATE = 1_795_229_544;

describe('streams over several API processes', () => {
  const redis = useCuttable('REDIS_URL');
  const platform = usePlatform(() => ({ config: { REDIS_URL: redis.url } }));
  const ada = useUserPerTest(platform);
  let other: { child: ChildProcess; url: string };

  before(async () => {
    other = await startApiElsewhere(platform, redis.url);
    await until('the other process answers', async () => isUp(other.url));
  });
  after(async () => {
    if (other.child.exitCode !== null) return;
    other.child.kill('SIGKILL');
    await once(other.child, 'exit');
  });

  const isUp = (url: string) =>
    fetch(`${url}/login`).then(
      () => true,
      () => false,
    );
  const open = (url: string, id: string, cursor = '') =>
    openStream(url, `/sensors/${id}/data/stream`, { 'X-SESSION_ID': ada.session, 'Last-Event-ID': cursor });
  const apis = () => [platform.url, other.url].map((url) => apiClient(url, { 'X-SESSION_ID': ada.session }));

  it('lose nothing, however often they are interrupted while points come by all of them', async () => {
    const id = await buildSensor(ada);
    const seen = new Set<string>();
    const first = await open(platform.url, id);
    let cursor = first.cursor;
    const follow = async (stream: EventStream, ms: number) => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      await stream.close();
      assert.ok(stream.events.every(({ event }) => event !== 'reset'));
      for (const { data } of stream.news) seen.add(data.value);
      cursor = stream.cursor || cursor;
    };
    let isUploading = true;
    const uploads = Promise.all(
      [...apis(), ...apis()].map(async (api, sender) => {
        for (let index = 0; index < 60; index += 1) {
          const points = Array.from({ length: index % 7 === 0 ? 150 : 1 }, (_, at) => ({
            value: `${sender}-${index}-${at}`,
            date: DATE + sender * 100_000 + index * 1_000 + at,
          }));
          const { status, body } = await api.post(`/sensors/${id}/data`, { data: points });
          assert.equal(status, 201, JSON.stringify(body));
        }
      }),
    ).finally(() => {
      isUploading = false;
    });
    await follow(first, 50);
    for (let round = 0; isUploading; round += 1) {
      await follow(await open(round % 2 ? platform.url : other.url, id, cursor), (round * 37) % 200);
    }
    await uploads;
    const total = 4 * (9 * 150 + 51);
    const last = await open(other.url, id, cursor);
    await until(
      'everything has come',
      () => new Set([...seen, ...last.news.map(({ data }) => data.value)]).size === total,
    );
    await last.close();
  });

  it('go on without Redis, a second later at most, and with it when it comes back', async () => {
    const id = await buildSensor(ada);
    const streams = [await open(platform.url, id), await open(other.url, id)];
    const [here, there] = apis();
    redis.cut();
    await here?.post(`/sensors/${id}/data`, { value: 1, date: DATE });
    const watch = new Stopwatch();
    for (const stream of streams) await stream.has(1);
    assert.ok(watch.stop() < 6_000);
    redis.restore();
    await there?.post(`/sensors/${id}/data`, { value: 2, date: DATE + 1 });
    const again = new Stopwatch();
    for (const stream of streams) await stream.has(2);
    assert.ok(again.stop() < 6_000);
    for (const stream of streams) {
      assert.deepEqual(
        stream.news.map(({ data }) => data.value),
        ['1', '2'],
      );
      await stream.close();
    }
  });

  it('hold nothing back for a slow reader, which gets everything at its own pace', async () => {
    const id = await buildSensor(ada);
    const fast = await open(platform.url, id);
    const slow = await openSocket(platform.url, `/sensors/${id}/data/stream`, ada.session);
    slow.pause();
    const text = 'x'.repeat(30_000);
    for (let index = 0; index < 30; index += 1) {
      const data = Array.from({ length: 20 }, (_, at) => ({ value: text + at, date: DATE + index * 100 + at }));
      await upload(ada, id, data);
    }
    await fast.has(600);
    let bytes = 0;
    slow.on('data', (chunk) => {
      bytes += chunk.length;
    });
    slow.resume();
    await until('the slow one has everything', () => bytes > 600 * 30_000);
    slow.destroy();
    await fast.close();
  });

  it('are deleted in the log after a day, and where they are too far back; cursors before that are useless', async () => {
    const [old, long, idle] = [await buildSensor(ada), await buildSensor(ada), await buildSensor(ada)];
    const cursors: string[] = [];
    for (const id of [old, long, idle]) {
      const stream = await open(platform.url, id);
      await upload(ada, id, { value: 1, date: 1 });
      await stream.has(1);
      cursors.push(stream.cursor);
      await upload(ada, id, { value: 2, date: 2 });
      await stream.has(2);
      await stream.close();
    }
    const firstEvents = async () => {
      const names: string[] = [];
      for (const [index, id] of [old, long, idle].entries()) {
        const stream = await open(platform.url, id, cursors[index]);
        names.push(stream.events[0]?.event ?? '');
        await stream.close();
      }
      return names;
    };
    assert.deepEqual(await firstEvents(), ['open', 'open', 'open']);
    // With somebody who follows, each upload is in a round of its own.
    const follower = await open(platform.url, long);
    for (let part = 0; part < 3; part += 1) {
      const points = Array.from({ length: 5_000 }, (_, at) => ({ value: 1, date: 10_000 * part + at + 3 }));
      await upload(ada, long, points);
      await follower.has(5_000 * (part + 1));
    }
    await follower.close();
    await platform.query('UPDATE stream_topics SET until_ms = 5 WHERE thing_id = ?', [idle]);
    await platform.container.purge.run();
    const left = await platform.query('SELECT thing_id AS id, SUM(item_count) AS items FROM change_log GROUP BY 1');
    assert.ok(Number(left.find(({ id }) => String(id) === long)?.items) <= 10_000 + 5_000);
    assert.deepEqual(await firstEvents(), ['open', 'reset', 'reset']);
    await platform.query('UPDATE change_log SET created_ms = 5');
    await platform.container.purge.run();
    assert.deepEqual(await platform.query('SELECT id FROM change_log'), []);
    assert.deepEqual(await firstEvents(), ['reset', 'reset', 'reset']);
  });

  it('end when their process is stopped, and go on at another one', async () => {
    const id = await buildSensor(ada);
    const stream = await open(other.url, id);
    other.child.kill('SIGTERM');
    assert.deepEqual(await stream.over(), { event: 'end', id: '', data: { reason: 'shutdown' } });
    await upload(ada, id, { value: 'meanwhile', date: DATE });
    const next = await open(platform.url, id, stream.cursor);
    await next.has(1);
    await next.close();
  });
});

/** A stream whose bytes are only read when the test wants them. */
async function openSocket(url: string, path: string, session: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nX-SESSION_ID: ${session}\r\n\r\n`);
  await once(socket, 'data');
  return socket;
}
