import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { startApiBehind } from '../support/agents/api-behind';
import { type Front, startFront } from '../support/agents/front';
import { storedLines } from '../support/agents/stored-series';
import { TelegrafLike } from '../support/agents/telegraf';
import { createKey } from '../support/factories';
import { useCuttable, usePlatform, useUserPerTest } from '../support/hooks';
import { until } from '../support/until';

const BEGIN_MS = Date.UTC(2026, 10, 26, 10);

interface Metric {
  line: string;
  /** How the stored point looks. */
  stored: string;
}

/** Metrics of 60 hosts, each in another millisecond of its host. */
function metrics(count: number, textBytes = 0): Metric[] {
  return Array.from({ length: count }, (_, index) => {
    const [series, dateMs] = [`cpu,host=h${index % 60}`, BEGIN_MS + index];
    const text = randomBytes(textBytes / 2).toString('hex');
    const field = text === '' ? '' : `,text="${text}"`;
    const value = JSON.stringify({ usage: index, ...(text !== '' && { text }) });
    return { line: `${series} usage=${index}i${field} ${dateMs}000000\n`, stored: `${series} ${dateMs} ${value}` };
  });
}

describe('an agent that behaves like Telegraf', () => {
  const mysql = useCuttable('MYSQL_URL');
  const platform = usePlatform(() => ({ config: { MYSQL_URL: mysql.url } }));
  const user = useUserPerTest(platform);
  let front: Front;
  let agent: TelegrafLike;

  beforeEach(async () => {
    front = await startFront(platform.url);
  });
  afterEach(async () => {
    await agent?.stop();
    await front.close();
  });

  const startAgent = async (settings: { metricBatchSize?: number } = {}, key: object = {}) => {
    const { secret: token } = await createKey(user, { scopes: ['data:write', 'sensors:create'], ...key });
    agent = new TelegrafLike({ url: front.url, token, ...settings });
    agent.start();
  };
  const isDone = () => until('all metrics are accepted', () => agent.waiting === 0);
  const answered = (status: number) => agent.statuses.get(status) ?? 0;
  const assertStored = async (sent: readonly Metric[]) =>
    assert.deepEqual(await storedLines(user), sent.map(({ stored }) => stored).sort());

  it('gets 30,000 metrics stored once each, while MySQL is cut and answers are lost', async () => {
    await startAgent();
    const sent = metrics(30_000);
    front.faults = [{ status: 413 }, { status: 503, retryAfter: 1 }, 'lose-answer', 'close'];
    const add = (from: number, to: number) => agent.add(sent.slice(from, to).map(({ line }) => line));
    add(0, 10_000);
    await until('some are accepted', () => agent.accepted >= 5_000);
    await mysql.cut();
    add(10_000, 20_000);
    await until('the platform answers 503 without MySQL', () => answered(503) >= 2);
    await mysql.restore();
    add(20_000, 30_000);
    await isDone();
    assert.deepEqual([agent.accepted, agent.dropped], [30_000, 0]);
    assert.ok(answered(413) >= 1 && answered(0) >= 2, JSON.stringify([...agent.statuses]));
    await assertStored(sent);
  });

  it('gets 10,000 metrics stored once each, while the API is killed as it writes', async () => {
    let api = await startApiBehind(front, platform);
    try {
      await startAgent();
      const sent = metrics(10_000);
      agent.add(sent.map(({ line }) => line));
      await until('some are accepted', () => agent.accepted >= 1_000);
      const ended = once(api, 'exit');
      api.kill('SIGKILL');
      await ended;
      assert.ok(agent.waiting > 0, 'nothing waits');
      api = await startApiBehind(front, platform);
      await isDone();
      assert.deepEqual([agent.accepted, agent.dropped], [10_000, 0]);
      await assertStored(sent);
    } finally {
      api.kill('SIGKILL');
    }
  });

  it('splits batches of more than 10 MB, which the platform refuses by 413', async () => {
    await startAgent({ metricBatchSize: 400 });
    const sent = metrics(400, 28_000);
    agent.add(sent.map(({ line }) => line));
    await isDone();
    assert.deepEqual([answered(413), answered(204), agent.dropped], [1, 2, 0]);
    await assertStored(sent);
  });

  it('keeps the metrics of new series until its key may make sensors', async () => {
    await startAgent({}, { create_limit: 10 });
    agent.add(metrics(60).map(({ line }) => line));
    await until('the platform refuses', () => answered(403) >= 2);
    assert.deepEqual([agent.waiting, agent.dropped, (await storedLines(user)).length], [60, 0, 10]);
    const { id } = (await user.api.get('/keys')).body.keys[0];
    assert.equal((await user.api.put(`/keys/${id}`, { key: { create_limit: 100 } })).status, 200);
    await isDone();
    await assertStored(metrics(60));
  });

  it('drops a batch with a line that can never be read, whose other lines are stored', async () => {
    await startAgent();
    const sent = metrics(10);
    agent.add([...sent.map(({ line }) => line), 'broken\n']);
    await isDone();
    assert.deepEqual([agent.accepted, agent.dropped, answered(400)], [0, 11, 1]);
    await assertStored(sent);
  });
});
