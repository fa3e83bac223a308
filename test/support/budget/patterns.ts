import { setTimeout as sleep } from 'node:timers/promises';
import { LINGER_MS } from '../../../src/queue/knobs';
import type { Counts } from './counter';
import type { MeasuredPlatform, Sent } from './measured-platform';

/** Nothing is stored, so this is what the reading of a batch needs. */
export const REFUSED = 'batches of 1,000, refused';
const UNKNOWN = '999999999';
const SENSORS = 1_000;
const CHANGED_AT_ONCE = 500;
/** Longer than nudges are collected, so that each request has one of its own. */
const APART_MS = LINGER_MS + 20;
/** Until statements and scripts are known, and types seen. */
const WARM_UPS = 50;
const READS = 60;

/** One kind of request. */
export interface Pattern {
  name: string;
  request(n: number): Sent;
  /** Points in a request; 1 for a read. */
  size: number;
  /** How often it is measured. */
  times: number;
  /** Count the evaluation of the points as well, apart. */
  isEvaluated?: true;
}

/** Counts for 1,000 points, or 1,000 reads, by the name of the pattern. */
export type Measured = Record<string, Counts>;

/** Counts what requests of each pattern do, one after another, and then the evaluation of what they stored. */
export async function measurePatterns(platform: MeasuredPlatform, patterns: readonly Pattern[]): Promise<Measured> {
  const measured: Measured = {};
  for (const { name, request, size, times, isEvaluated } of patterns) {
    const step = async (n: number) => {
      await platform.send(request(n));
      if (isEvaluated) await sleep(APART_MS);
    };
    for (let n = 0; n < WARM_UPS; n += 1) await platform.send(request(n));
    await step(0);
    await platform.settle();
    measured[name] = perThousand(await platform.during(times, { step }), size * times);
    if (!isEvaluated) continue;
    await platform.settle();
    const evaluation = await platform.during(times, { before: step, step: () => platform.settle() });
    measured[`${name}, evaluated`] = perThousand(evaluation, size * times);
  }
  return measured;
}

/** Makes what the patterns need. */
export async function preparePatterns(platform: MeasuredPlatform): Promise<Pattern[]> {
  const watched = await makeSensors(platform);
  const [first = ''] = watched;
  const { sensor } = await platform.send({ method: 'POST', path: '/sensors', body: { sensor: { name: 'plain' } } });
  const get = (name: string, path: string) => readPattern(name, { method: 'GET', path });
  const single = { size: 1, times: READS };
  return [
    { name: 'batches of 1,000', request: (n) => batchOf(watched, n), size: SENSORS, times: 20, isEvaluated: true },
    {
      name: 'batches of 250',
      request: (n) => batchOf(quarterOf(watched, n), n),
      size: 250,
      times: 20,
      isEvaluated: true,
    },
    {
      name: REFUSED,
      request: (n) => ({ ...batchOf([...watched, UNKNOWN], n), isRefused: true }),
      size: SENSORS,
      times: 40,
    },
    { name: 'single points, trigger', request: (n) => singleOf(first, n), ...single, isEvaluated: true },
    { name: 'single points, no trigger', request: (n) => singleOf(sensor.id, n), ...single },
    get('a page of 100', `/sensors/${first}/data?per_page=100`),
    get('intervals', `/sensors/${first}/data?interval=3600`),
    get('the latest', `/sensors/${first}/data?last=1`),
    readPattern('find', { method: 'POST', path: '/sensors/find?per_page=100', body: { filter: {} } }),
    get('firings', '/firings'),
  ];
}

function batchOf(sensors: readonly string[], n: number): Sent {
  const uploads = sensors.map((sensor_id) => ({ sensor_id, data: [{ value: temperature(n) }] }));
  return { method: 'POST', path: '/sensors/data', body: { sensors: uploads } };
}

function quarterOf(sensors: readonly string[], n: number): readonly string[] {
  const size = sensors.length / 4;
  return sensors.slice((n % 4) * size, ((n % 4) + 1) * size);
}

function singleOf(id: string, n: number): Sent {
  return { method: 'POST', path: `/sensors/${id}/data`, body: { value: temperature(n) } };
}

function temperature(n: number): number {
  return 20 + (n % 9);
}

function readPattern(name: string, request: Sent): Pattern {
  return { name, request: () => request, size: 1, times: READS };
}

/** The ids of sensors with a trigger that is evaluated and does not fire. */
async function makeSensors(platform: MeasuredPlatform): Promise<string[]> {
  const post = (path: string, body: unknown) => platform.send({ method: 'POST', path, body });
  const token = (await post('/keys', { key: { name: 'agent', scopes: ['data:write', 'sensors:create'] } })).key.secret;
  const lines = Array.from({ length: SENSORS }, (_, n) => `room,at=r${n} value=20`).join('\n');
  await platform.send({ method: 'POST', path: '/api/v2/write', body: lines, token });
  const trigger = { name: 'too warm', expression: 'sensor_data_value > 1000' };
  const { id } = (await post('/triggers', { trigger })).trigger;
  const { sensors } = await platform.send({ method: 'GET', path: `/sensors?per_page=${SENSORS}` });
  const ids: string[] = sensors.map((sensor: { id: string }) => sensor.id);
  const action = { connect_trigger: { id, notifications: [] } };
  for (let from = 0; from < SENSORS; from += CHANGED_AT_ONCE)
    await post('/sensors/bulk', { sensors: ids.slice(from, from + CHANGED_AT_ONCE), action });
  return ids;
}

function perThousand(counts: Counts, done: number): Counts {
  const rates = Object.entries(counts).map(([name, count]) => [name, Math.round((count * 1_000) / done)]);
  return Object.fromEntries(rates);
}
