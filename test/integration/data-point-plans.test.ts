import assert from 'node:assert/strict';
import { buildPurge } from '../../src/maintenance/build-purge';
import { buildSensor, buildTrigger, connectTrigger, upload } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';
import { buildLearningService, type LearningService, learnRange } from '../support/recognition';
import { sentDuring } from '../support/sent-statements';

const SENSORS = 50;
const POINTS_OF_A_SENSOR = 2_000;
const T0 = 1_700_000_000;
/** So many points are newer than a day, and the others as old as they come. */
const RECENT = 100;

/** What statements call the table. */
const ALIASES = new Set(['data_points', 'p', 'd']);

/** What each access may do besides looking up points in the primary key. */
type Sorting = 'nothing is sorted' | 'a page of candidates is sorted' | 'the intervals of the range are sorted';

describe('the plans of statements on 100,000 data points', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  const ids: string[] = [];
  let service: LearningService;

  before(async () => {
    for (let index = 0; index < SENSORS; index += 1) ids.push(await buildSensor(user));
    service = await buildLearningService(user, ids.slice(0, 2));
    const nowMs = Date.now();
    const values = new Map([
      [ids[SENSORS - 1], 'open'],
      [ids[SENSORS - 2], '{"t":1}'],
    ]);
    for (const id of ids) {
      const rows = Array.from({ length: POINTS_OF_A_SENSOR }, (_, index) => {
        const dateMs = T0 * 1000 + index * 1_000;
        const value = values.get(id) ?? `${index % 40}.5`;
        return [id, index < POINTS_OF_A_SENSOR - RECENT ? dateMs : nowMs - index * 1_000, value, 1];
      });
      await platform.query('INSERT INTO data_points (sensor_id, date_ms, value, delay_s) VALUES ?', [rows]);
    }
    await platform.query('ANALYZE TABLE data_points');
  });

  /** The plans of the statements on data points that `work` sends: for each statement its rows on the stored points. */
  const requirePlans = async (work: () => Promise<unknown>, verb: string, sorting: Sorting) => {
    const sent = (await sentDuring(work)).map((sql) => sql.replace(/^\s*\/\*.*?\*\/\s*/, ''));
    const statements = sent.filter((sql) => sql.includes('data_points') && !sql.startsWith('INSERT'));
    assert.ok(
      statements.some((sql) => sql.replace(/^\(/, '').startsWith(verb)),
      `no ${verb} among: ${statements.join('\n')}`,
    );
    for (const sql of statements) {
      const plan = await platform.query(`EXPLAIN FORMAT=TRADITIONAL ${sql}`);
      for (const row of plan) {
        const what = `${sql}\n${JSON.stringify(row)}`;
        const isOnPoints = ALIASES.has(row.table);
        if (isOnPoints) assert.match(row.type, /^(const|eq_ref|ref|range)$/, what);
        if (isOnPoints) assert.equal(row.key, 'PRIMARY', what);
        const isSortable =
          sorting !== 'nothing is sorted' && (sorting !== 'a page of candidates is sorted' || !isOnPoints);
        if (!isSortable) assert.doesNotMatch(String(row.Extra), /filesort|temporary/, what);
      }
    }
  };

  const get = async (path: string) => {
    const { status, body } = await user.api.get(path);
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(body.data.length > 0);
  };
  const range = `start_date=${T0 + 100}&end_date=${T0 + 500}`;
  const several = () => `/sensors/data?sensor_id[]=${ids[0]}&sensor_id[]=${ids[1]}`;

  const reads: [what: string, path: () => string, sorting: Sorting][] = [
    ['the last point', () => `/sensors/${ids[0]}/data?last=1`, 'a page of candidates is sorted'],
    ['the next point', () => `/sensors/${ids[0]}/data?date=${T0 + 7}&next=1`, 'a page of candidates is sorted'],
    ['a range', () => `/sensors/${ids[0]}/data?${range}&per_page=1000`, 'a page of candidates is sorted'],
    ['a page', () => `/sensors/${ids[0]}/data?page=1&per_page=100&sort=DESC`, 'a page of candidates is sorted'],
    ['a page with its total', () => `/sensors/${ids[0]}/data?total=1`, 'a page of candidates is sorted'],
    ['several sensors', () => `${several()}&${range}&total=1`, 'a page of candidates is sorted'],
    ['the last points of several sensors', () => `${several()}&last=1`, 'a page of candidates is sorted'],
    [
      'intervals',
      () => `/sensors/${ids[0]}/data?${range}&interval=60&total=1`,
      'the intervals of the range are sorted',
    ],
    [
      'the last points of intervals without numbers',
      () => `/sensors/${ids[49]}/data?${range}&interval=60`,
      'the intervals of the range are sorted',
    ],
    [
      'everything that days of a time zone can show',
      () => `/sensors/${ids[0]}/data?interval=86400&aggregate=all&timezone=Europe/Amsterdam&total=1`,
      'the intervals of the range are sorted',
    ],
    [
      'the first number of each interval',
      () => `/sensors/${ids[0]}/data?${range}&interval=60&aggregate=first`,
      'the intervals of the range are sorted',
    ],
    [
      'the fields of JSON objects in intervals',
      () => `/sensors/${ids[48]}/data?${range}&interval=300`,
      'the intervals of the range are sorted',
    ],
    ['intervals of several sensors', () => `${several()}&interval=300`, 'the intervals of the range are sorted'],
  ];
  for (const [what, path, sorting] of reads) {
    it(`look up ${what}`, () => requirePlans(() => get(path()), 'SELECT', sorting));
  }

  it('look up the points of a backtest', () =>
    requirePlans(
      async () => {
        const scope = { sensor_ids: ids.slice(0, 2), start_date: T0 - 5, end_date: T0 + 5_000 };
        const trigger = { expression: 'sensor_data_value > 30', inactivity: 60 };
        const { body } = await user.api.post('/triggers/backtest', { trigger, ...scope });
        assert.ok(body.backtest?.points > 3_000, JSON.stringify(body));
      },
      'SELECT',
      'nothing is sorted',
    ));

  it('look up the points of a training job', () =>
    requirePlans(
      () => learnRange(user, service, { start_date: T0, end_date: T0 + 600, class_label: 'working' }),
      'SELECT',
      'a page of candidates is sorted',
    ));

  it('look up the newest points when an inactivity is connected', () =>
    requirePlans(
      async () => connectTrigger(user, String(ids[0]), await buildTrigger(user, { inactivity: 60 })),
      'SELECT',
      'nothing is sorted',
    ));

  it('look up a point that is deleted', () =>
    requirePlans(
      async () => {
        const { body } = await user.api.get(`/sensors/${ids[2]}/data?last=1`);
        assert.equal((await user.api.delete(`/sensors/${ids[2]}/data/${body.data[0].id}`)).status, 200);
      },
      'DELETE',
      'a page of candidates is sorted',
    ));

  it('look up the points of a range that is deleted', () =>
    requirePlans(
      async () => {
        const { status } = await user.api.delete(`/sensors/${ids[2]}/data?${range}`);
        assert.equal(status, 200);
      },
      'DELETE',
      'nothing is sorted',
    ));

  it('look up what the purge deletes', () =>
    requirePlans(
      async () => {
        await user.api.delete(`/sensors/${ids[3]}`);
        const { database, services, clock, logger, decisionLog } = platform.container;
        const parts = { pool: database.pool, clock, logger, decisionLog, accounts: services.accountRemoval };
        const limits = {
          dataRetentionDays: 1,
          chunkAfterMs: 0,
          historyRetentionDays: 0,
          deliveryRetentionDays: 0,
          sessionIdleDays: 0,
          ofWings: [],
        };
        await buildPurge({ ...parts, ...limits }).run();
        const [row] = await platform.query('SELECT COUNT(*) AS points FROM data_points WHERE sensor_id = ?', [ids[4]]);
        assert.equal(Number(row?.points), RECENT);
      },
      'DELETE',
      'nothing is sorted',
    ));

  it('store points without reading any', async () => {
    const statements = await sentDuring(() => upload(user, String(ids[5]), { value: 1 }));
    const onPoints = statements.filter((sql) => sql.includes('data_points'));
    assert.equal(onPoints.length, 1);
    assert.match(
      String(onPoints[0]),
      /^INSERT INTO data_points \(sensor_id, date_ms, value, delay_s, below_ns\) VALUES \(/,
    );
  });
});
