import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const RULES = join(__dirname, '../../../docs/operate/alerts.yml');
const MINUTE_S = 60;
/** Values of every metric below, one a minute, for 13 hours: longer than any alert waits. */
const SAMPLES = 13 * 60;

/** For each alert: series under which it fires, and the same ones at rest. `+n` grows by n a minute. */
const FAULTS: Record<string, { series: string; faulty: string; atRest: string }[]> = {
  ApiDown: [{ series: 'up{job="sensor-platform",instance="a"}', faulty: '0', atRest: '1' }],
  MysqlDown: [{ series: 'mysql_up', faulty: '0', atRest: '1' }],
  RedisDown: [{ series: 'redis_up', faulty: '0', atRest: '1' }],
  MysqlConnections: [
    { series: 'mysql_connections{state="connected"}', faulty: '81', atRest: '80' },
    { series: 'mysql_connections{state="allowed"}', faulty: '100', atRest: '100' },
  ],
  RedisMemory: [
    { series: 'redis_memory_bytes{state="used"}', faulty: '81', atRest: '80' },
    { series: 'redis_memory_bytes{state="allowed"}', faulty: '100', atRest: '100' },
  ],
  NoWorkers: [{ series: 'platform_workers', faulty: '0', atRest: '1' }],
  WorkerLost: [{ series: 'platform_workers', faulty: '2 2 1', atRest: '2 2 2' }],
  DiskNearlyFull: [
    { series: 'data_dir_free_bytes', faulty: '9', atRest: '10' },
    { series: 'data_dir_size_bytes', faulty: '100', atRest: '100' },
  ],
  DiskFull: [
    { series: 'data_dir_free_bytes', faulty: '2', atRest: '3' },
    { series: 'data_dir_size_bytes', faulty: '100', atRest: '100' },
  ],
  BacklogGrowing: [{ series: 'platform_backlog_oldest_seconds{what="events"}', faulty: '31', atRest: '30' }],
  MqttSourcesWait: [{ series: 'platform_backlog_oldest_seconds{what="mqtt_sources"}', faulty: '61', atRest: '60' }],
  ReceiverFailing: [{ series: 'platform_receivers{state="degraded"}', faulty: '1', atRest: '0' }],
  ReceiverPaused: [{ series: 'platform_receivers{state="paused"}', faulty: '1', atRest: '0' }],
  DeliveriesFail: [
    { series: 'deliveries_ended_total{type="url",status="failed"}', faulty: '0+3', atRest: '0+1' },
    { series: 'deliveries_ended_total{type="url",status="delivered"}', faulty: '0+1', atRest: '0+3' },
  ],
  DeliveriesLate: [
    { series: 'delivery_stage_seconds_bucket{stage="queue",le="10"}', faulty: '0+90', atRest: '0+100' },
    { series: 'delivery_stage_seconds_bucket{stage="queue",le="30"}', faulty: '0+100', atRest: '0+100' },
    { series: 'delivery_stage_seconds_bucket{stage="queue",le="+Inf"}', faulty: '0+100', atRest: '0+100' },
  ],
  EvaluationPassesFail: [{ series: 'evaluation_passes_total{outcome="failed"}', faulty: '0+1', atRest: '5+0' }],
  WorkSetAside: [{ series: 'platform_backlog{what="quarantined"}', faulty: '1', atRest: '0' }],
  EventsFail: [{ series: 'events_dispatched_total{outcome="failed"}', faulty: '0+1', atRest: '5+0' }],
  CriticalAlertsLate: [{ series: 'platform_backlog{what="critical_late"}', faulty: '1', atRest: '0' }],
  RequestsFail: [
    { series: 'http_request_seconds_count{status="500"}', faulty: '0+6', atRest: '0+4' },
    { series: 'http_request_seconds_count{status="200"}', faulty: '0+94', atRest: '0+96' },
  ],
  RequestsSlow: [
    {
      series: 'http_request_seconds_bucket{route="/sensors/{id}/data",method="POST",le="0.5"}',
      faulty: '0+90',
      atRest: '0+96',
    },
    {
      series: 'http_request_seconds_bucket{route="/sensors/{id}/data",method="POST",le="1"}',
      faulty: '0+100',
      atRest: '0+100',
    },
    {
      series: 'http_request_seconds_bucket{route="/sensors/{id}/data",method="POST",le="+Inf"}',
      faulty: '0+100',
      atRest: '0+100',
    },
  ],
  PoolExhausted: [{ series: 'mysql_pool_connections{pool="main",state="waiting"}', faulty: '21', atRest: '20' }],
  // The metric is 0.25 at rest: the interval of its samples.
  EventLoopBlocked: [{ series: 'nodejs_eventloop_lag_p99_seconds', faulty: '0.76', atRest: '0.7' }],
  ClockWrong: [{ series: 'clock_ahead_seconds', faulty: '-1.1', atRest: '-0.9' }],
};

describe('the rules of the alerts', () => {
  const rules = readFileSync(RULES, 'utf8');
  const names = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  let folder = '';
  before(function () {
    if (spawnSync('promtool', ['--version']).error) this.skip();
    folder = mkdtempSync(join(tmpdir(), 'alert-rules-'));
    copyFileSync(RULES, join(folder, 'alerts.yml'));
  });
  after(() => {
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /** What promtool says about the planted series at this time; empty if the alert fires as often as expected. */
  const differs = (name: string, state: 'faulty' | 'atRest', atSeconds: number, times: number) => {
    const series = (FAULTS[name] ?? []).map(
      (fault) => `      - { series: '${fault.series}', values: '${valuesOf(fault[state])}' }`,
    );
    const samples = times > 0 ? `[{ labels: '{}', value: ${times} }]` : '[]';
    const lines = [
      ...[
        'rule_files: [alerts.yml]',
        `evaluation_interval: ${atSeconds > 3_600 ? '5m' : '15s'}`,
        'tests:',
        '  - interval: 1m',
        '    input_series:',
      ],
      ...series,
      '    promql_expr_test:',
      `      - expr: 'count(ALERTS{alertname="${name}",alertstate="firing"})'`,
      `        eval_time: ${atSeconds}s`,
      `        exp_samples: ${samples}`,
    ];
    writeFileSync(join(folder, 'test.yml'), `${lines.join('\n')}\n`);
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', join(folder, 'test.yml')], {
      encoding: 'utf8',
    });
    return status === 0 ? '' : `${stdout}${stderr}`;
  };

  it('each have a planted fault here', () => {
    assert.deepEqual(Object.keys(FAULTS).sort(), [...names].sort());
  });

  for (const name of names) {
    it(`${name} fires under its fault, after its time and no sooner, and not at rest`, () => {
      const [, waits = '0s'] = new RegExp(`alert: ${name}\\n.*\\n(?: +for: (\\w+))?`).exec(rules) ?? [];
      const longS = 2 * MINUTE_S + 10 * MINUTE_S + secondsOf(waits);
      assert.equal(differs(name, 'faulty', longS, 1), '');
      assert.equal(differs(name, 'atRest', longS, 0), '');
      if (secondsOf(waits) > 0) assert.equal(differs(name, 'faulty', secondsOf(waits) - 15, 0), '');
    });
  }
});

/** `5` is 5 each minute, `0+3` grows by 3 a minute, `2 2 1` stays at its last one. */
function valuesOf(short: string): string {
  if (short.includes(' ')) return `${short.slice(0, -1)}${short.at(-1)}+0x${SAMPLES}`;
  return short.includes('+') ? `${short}x${SAMPLES}` : `${short}+0x${SAMPLES}`;
}

function secondsOf(duration: string): number {
  const [, number = '0', unit = 's'] = /^(\d+)([smh])$/.exec(duration) ?? [];
  return Number(number) * { s: 1, m: 60, h: 3_600 }[unit as 's' | 'm' | 'h'];
}
