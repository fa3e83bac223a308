import assert from 'node:assert/strict';
import {
  buildNotification,
  buildSensor,
  buildTrigger,
  connectNotification,
  connectTrigger,
  upload,
} from '../../support/factories';
import { useCuttable, usePlatform, useReceiver, useUser } from '../../support/hooks';
import { rawRequest } from '../../support/raw-request';
import { Stopwatch } from '../../support/stopwatch';
import { until } from '../../support/until';

/** Every label that a metric of the platform may have, and what its values look like. Those of Node's own are left out. */
const LABELS: Readonly<Record<string, RegExp>> = {
  method: /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|other)$/,
  route: /^(other|(\/[a-zA-Z_-]*(\{\w+\})?)+)$/,
  status: /^(\d{3}|delivered|failed)$/,
  outcome: /^[a-z-]+$/,
  reason: /^[a-z-]+$/,
  type: /^(url|email)$/,
  stage: /^(store|evaluate|queue|send|answer)$/,
  queue: /^[a-z-]+$/,
  pool: /^(main|uploads|short|long)$/,
  state: /^(used|free|waiting|paused|degraded|connected|running|allowed)$/,
  what: /^[a-z_]+$/,
  le: /^(\+Inf|[\d.e-]+)$/,
  version: /^\d+\.\d+\.\d+$/,
};

describe('the metrics', () => {
  const mysql = useCuttable('MYSQL_URL');
  const redis = useCuttable('REDIS_URL');
  const platform = usePlatform(() => ({ config: { MYSQL_URL: mysql.url, REDIS_URL: redis.url } }));
  const user = useUser(platform);
  const receiver = useReceiver();

  const read = async () => {
    const { status, body } = await platform.anonymous.get('/metrics');
    assert.equal(status, 200);
    return String(body)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
  };
  const figure = (lines: string[], series: string) => {
    const line = lines.find((each) => each.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.slice(series.length));
  };

  it('count requests, uploads, evaluation passes, decisions, deliveries and jobs', async () => {
    const [sensorId, triggerId, notificationId] = await Promise.all([
      buildSensor(user),
      buildTrigger(user),
      buildNotification(user, { destination: receiver.url }),
    ]);
    await connectTrigger(user, sensorId, triggerId);
    await connectNotification(user, sensorId, triggerId, notificationId);
    const data = [20, 21, 40, 41].map((value, index) => ({ value, date: 1_000 + index }));
    await upload(user, sensorId, { data });
    await user.api.post(`/sensors/${Number(sensorId) + 1_000}/data`, { value: 1 });
    const waiting = await read();
    assert.equal(figure(waiting, 'platform_backlog{what="points"}'), 4);
    assert.ok(Number(figure(waiting, 'platform_backlog_oldest_seconds{what="points"}')) >= 0);
    await platform.settle();
    const lines = await read();
    const expected = {
      'uploads_total{outcome="stored"}': 1,
      'uploads_total{outcome="refused"}': 1,
      sensor_data_points_accepted_total: 4,
      'http_request_seconds_count{method="POST",route="/sensors/{id}/data",status="201"}': 1,
      'http_request_seconds_count{method="POST",route="/sensors/{id}/data",status="404"}': 1,
      evaluation_pass_points_sum: 4,
      'trigger_decisions_total{reason="false"}': 2,
      'trigger_decisions_total{reason="fired"}': 1,
      'trigger_decisions_total{reason="once-a-minute"}': 1,
      'trigger_firings_total{reason="expression"}': 1,
      'delivery_attempts_total{type="url",outcome="delivered"}': 1,
      'deliveries_ended_total{type="url",status="delivered"}': 1,
      'delivery_stage_seconds_count{stage="answer"}': 1,
      mysql_up: 1,
      redis_up: 1,
      redis_connected: 1,
      'mysql_pool_connections{pool="uploads",state="waiting"}': 0,
      platform_workers: 0,
    };
    assert.deepEqual(
      Object.fromEntries(Object.keys(expected).map((series) => [series, figure(lines, series)])),
      expected,
    );
    assert.ok(
      Number(figure(lines, 'mysql_connections{state="allowed"}')) >
        Number(figure(lines, 'mysql_connections{state="connected"}')),
    );
    assert.ok(Number(figure(lines, 'redis_memory_bytes{state="used"}')) > 0);
    assert.ok(Number(figure(lines, 'data_dir_free_bytes')) < Number(figure(lines, 'data_dir_size_bytes')));
    await platform.startWorkers(['deliveries']);
    await platform.container.jobQueue.enqueueDeliveries([
      { deliveryId: 1, ownerId: 1, attempts: 0, priority: 0, cause: 'trigger' },
    ]);
    const job = 'job_seconds_count{queue="deliveries",outcome="done"}';
    await until('a job is counted', async () => figure(await read(), job) === 1);
    await platform.stopWorkers();
  });

  it('have labels of few values, none of which comes from a user, whatever is requested', async () => {
    const secret = 'hidden-hidden-hidden';
    await Promise.all([
      ...Array.from({ length: 20 }, (_, index) => platform.anonymous.get(`/${secret}/${index}`)),
      platform.anonymous.get(`/sensors/${secret}`),
      user.api.get(`/sensors/${secret}/data?x=${secret}`),
      ...['PROPFIND', 'TRACE', 'OPTIONS'].map((method) => rawRequest(platform.url, `/${secret}`, { method })),
    ]);
    const lines = await read();
    assert.ok(lines.some((line) => line.includes('method="other",route="other"')));
    for (const line of lines.filter((each) => !/^(nodejs|process)_/.test(each))) {
      for (const [, name = '', value = ''] of line.matchAll(/[{,](\w+)="([^"]*)"/g)) {
        assert.match(value, LABELS[name] ?? /^ $/, line);
      }
      assert.ok(!line.includes(secret) && !line.includes(user.username), line);
    }
  });

  it('say what is away, soon and without what cannot be known then', async () => {
    await Promise.all([mysql.cut(), redis.cut()]);

    try {
      const watch = new Stopwatch();
      // What was measured a moment ago is shown again.
      await until('both are away', async () => {
        const lines = await read();
        return figure(lines, 'mysql_up') === 0 && figure(lines, 'redis_up') === 0;
      });
      const lines = await read();
      assert.ok(watch.stop() < 10_000);
      assert.ok(!lines.some((line) => /^(mysql_connections|redis_memory)/.test(line)));
      assert.equal(
        lines.filter((line) => line.startsWith('platform_')).join('\n'),
        'platform_build_info{version="0.1.0"} 1',
      );
    } finally {
      await Promise.all([mysql.restore(), redis.restore()]);
    }
    await until('both are back', async () => {
      const lines = await read();
      return figure(lines, 'mysql_up') === 1 && figure(lines, 'platform_workers') === 0;
    });
  });
});
