import assert from 'node:assert/strict';
import { AGGREGATES } from '../../src/points/data-points/aggregates';
import { buildPackedSensor, chunksOf, countRows, packAll } from '../support/chunks';
import { openStream } from '../support/event-stream';
import { buildSensor, upload } from '../support/factories';
import { fakeClock } from '../support/fake-clock';
import { usePlatform, useUser } from '../support/hooks';
import { buildLearningService } from '../support/recognition';
import { StalledReaders } from '../support/stalled-readers';
import { until } from '../support/until';

const HOUR = 3_600;
const MINUTE = 60;
const POINTS = 4_000;

/** Values of every kind that a point every two minutes can have, some hours of each. */
const KINDS: ((index: number) => unknown)[] = [
  (index) => ({ t: (index % 90) / 4, h: 40 + (index % 7), at: { x: -index } }),
  (index) => (index % 300) / 10 - 7,
  (index) => (index % 3 === 0 ? { t: index % 5, isOpen: index % 2 === 0 } : 'closed'),
  (index) => (index % 2 === 0 ? { t: `${index}` } : index % 11),
  (index) => index % 7 === 0,
];

describe('points in chunks are read like rows', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const user = useUser(platform);
  const start = Math.floor(clock.now() / 1_000 / 86_400) * 86_400 - 30 * 86_400;
  let rows: string;
  let packed: string;

  before(async () => {
    const data = Array.from({ length: POINTS }, (_, index) => ({
      value: KINDS[Math.floor(index / 150) % KINDS.length]?.(index),
      date: start + index * 2 * MINUTE,
    }));
    rows = await buildSensor(user);
    await upload(user, rows, data);
    packed = await buildPackedSensor(platform, user, data);
    // Replaced and late points among those in chunks.
    const later = data
      .filter((_, index) => index % 40 === 0)
      .map(({ date }) => ({ value: { t: 0.5 }, date: date + 30 }));
    const replaced = data.filter((_, index) => index % 50 === 0).map(({ date }) => ({ value: 1, date }));
    for (const id of [rows, packed]) await upload(user, id, [...later, ...replaced]);
    assert.ok((await countRows(platform, packed)) < 400);
  });

  /** Points at intervals of some seconds, more than fill a chunk. */
  const regular = (seconds: number) =>
    Array.from({ length: 1_600 }, (_, index) => ({ value: index % 70, date: start + index * seconds }));
  const get = async (path: string) => {
    const { status, body } = await user.api.get(path);
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
    return body;
  };
  /** The same of both sensors, with their ids taken out. */
  const both = async (of: (id: string) => Promise<unknown>, ids = [rows, packed]) => {
    const answers = [];
    for (const id of ids) {
      const text = JSON.stringify(await of(id));
      answers.push(JSON.parse(text.replaceAll(new RegExp(`("sensor_id\\\\*":\\\\*")${id}\\b`, 'g'), '$1')));
    }
    return answers;
  };

  for (const aggregate of AGGREGATES) {
    it(`in intervals, with their fields, by the aggregate ${aggregate}`, async () => {
      for (const interval of ['3600', '86400', '604800']) {
        for (const page of ['per_page=1000&total=1', 'sort=DESC&per_page=7&page=2', 'last=1', 'first=1']) {
          const query = `interval=${interval}&aggregate=${aggregate}&timezone=America/Havana&${page}`;
          const [expected, found] = await both((id) => get(`/sensors/${id}/data?${query}`));
          assert.ok(page.includes('page=2') || found.data.length > 0, query);
          assert.deepEqual(rounded(found), rounded(expected), query);
        }
      }
    });
  }

  it('as CSV with a column for each field, and as NDJSON, whole and by intervals', async () => {
    for (const format of ['csv', 'ndjson']) {
      for (const query of [
        '',
        'sort=DESC',
        `start_date=${start + 9 * HOUR}&dates=iso`,
        'interval=86400&aggregate=all',
        'per_page=50&page=3',
      ]) {
        const [expected, found] = await both((id) => get(`/sensors/${id}/data.${format}?${query}`));
        assert.equal(rounded(found), rounded(expected), `${format} ${query}`);
      }
    }
    const [header] = (await get(`/sensors/${packed}/data.csv`)).split('\r\n');
    for (const field of ['t', 'h', 'isOpen', 'at']) assert.match(header, new RegExp(`\\b${field}\\b`));
  });

  it('by a backtest, also of a rule with a window', async () => {
    for (const expression of [
      'sensor_data_value > 20',
      'avg_over_time(sensor_data_value, 1800) > 3',
      'sensor_data_value.t > 20',
    ]) {
      const [expected, found] = await both(async (id) => {
        const { status, body } = await user.api.post('/triggers/backtest', {
          trigger: { expression },
          sensor_ids: [id],
        });
        assert.equal(status, 200, JSON.stringify(body));
        return body;
      });
      assert.ok(found.backtest.firings.length > 0, expression);
      assert.deepEqual(found, expected, expression);
    }
  });

  it('by the training of a service', async () => {
    const data = regular(1);
    const inRows = await buildSensor(user, { data_type: 'float' });
    await upload(user, inRows, data);
    const inChunks = await buildPackedSensor(platform, user, data, { data_type: 'float' });
    const range = { start_date: start, end_date: start + data.length, class_label: 'winter' };
    const [expected, found] = await both(
      async (id) => {
        const service = await buildLearningService(user, [id]);
        const { status, body } = await user.api.post(`/sensors/${id}/services/${service.id}/manualLearn`, range);
        assert.equal(status, 200, JSON.stringify(body));
        const examples = await platform.query(
          'SELECT label, start_ms, end_ms, features FROM service_examples WHERE service_id = ? ORDER BY start_ms',
          [service.id],
        );
        return {
          points: body.points,
          features: examples.map((each) => String(each.features).replaceAll(`"${id}/`, '"')),
        };
      },
      [inRows, inChunks],
    );
    assert.equal(found.points, data.length);
    assert.ok(found.features.length > 100);
    assert.deepEqual(found, expected);
  });

  it('by a client that comes back to a stream, although they were packed or replaced meanwhile', async () => {
    const id = await buildPackedSensor(platform, user, regular(MINUTE));
    const open = (cursor = '') =>
      openStream(platform.url, `/sensors/${id}/data/stream`, { 'X-SESSION_ID': user.session, 'Last-Event-ID': cursor });
    const first = await open();
    const { cursor } = first;
    await first.close();
    const missed = Array.from({ length: 300 }, (_, index) => ({
      value: { late: index },
      date: start + index * MINUTE + 7,
    }));
    await upload(user, id, missed);
    await upload(user, id, { value: 'again', date: start });
    await packAll(platform, id);
    assert.equal(await countRows(platform, id), 100, 'all of them are in chunks');
    const second = await open(cursor);
    await second.has(301);
    await second.close();
    const seen = new Map(second.news.map(({ data }) => [data.date, data.value]));
    assert.equal(seen.get(start), 'again');
    for (const { value, date } of missed) assert.deepEqual(JSON.parse(seen.get(date)), value);
    assert.ok(second.events.every(({ event }) => event !== 'reset'));
    assert.ok((await chunksOf(platform, id)).length > 0);
  });

  it('holding nothing afterwards, also of an export that was given up', async () => {
    const long = Array.from({ length: 400 }, (_, at) => ({
      value: `${'y'.repeat(2_000)}${at}`,
      date: start + at * MINUTE,
    }));
    const wide = await Promise.all([1, 2, 3].map(() => buildPackedSensor(platform, user, long)));
    const query = [rows, packed, ...wide].map((id) => `sensor_id=${id}`).join('&');
    const held = () => Number(Reflect.get(platform.container.workBudget, 'held'));
    const readers = new StalledReaders(platform.url);
    await get(`/sensors/data?${query}&per_page=500&page=2`);
    await get(`/sensors/data?${query}&interval=${HOUR}`);
    assert.equal(held(), 0);
    await readers.openMany(2, `/sensors/data.ndjson?${query}`, user.session);
    await until('the exports hold chunks', () => held() > 0).finally(() => readers.close());
    await until('nothing is held any more', () => held() === 0);
  });
});

/** Sums of the same numbers in another order differ in their last digits. */
function rounded<T>(value: T): T {
  const text = JSON.stringify(value).replaceAll(/-?\d+\.\d{9,}/g, (number) => Number(number).toPrecision(9));
  return JSON.parse(text);
}
