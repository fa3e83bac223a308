import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ResultSetHeader } from 'mysql2/promise';
import { buildSensor, buildService, buildTrigger, connectTrigger, upload } from '../support/factories';
import { useBystander, useStandingPlatform, useUser } from '../support/hooks';
import type { TestUser } from '../support/platform';
import { until } from '../support/until';

const DAY = 86_400;
const TEXTS = 120;
const NUMBERS = 4_900;
/** The most different `x` that a sensor may have. */
const DIFFERENT = 20;
const CHARACTERS = 2_000;
const TRIGGERS = 100;
const SERVICES = 20;
const DECIDED_MS = 60_000;
/** How much of it fits into the time of its owner depends on the machine. */
const TOO_MUCH = /^(computing the windows of this sensor takes too long|the windows of this sensor hold more than)/;

/** Parts of an expression, as many as fit into it. */
function filled(partOf: (index: number) => string, most = Number.POSITIVE_INFINITY): string {
  let text = partOf(0);
  for (let index = 1; index < most; index += 1) {
    const next = `${text}&&${partOf(index)}`;
    if (next.length > CHARACTERS) break;
    text = next;
  }
  return text;
}

const copies = (from: number, most?: number) =>
  filled((index) => `changes(sensor_data_value==${from + index}?"":lower(sensor_data_value),${DAY})>-1`, most);
const shifted = (from: number, most?: number) =>
  filled((index) => `changes(sensor_data_value+${from + index},${DAY})>-1`, most);
const quantiles = (from: number, x = 'sensor_data_value') =>
  filled((index) => `quantile_over_time(${(from + index) / 100_000},${x},${DAY})>-1`);

describe('an attack by windows', function () {
  this.timeout(400_000);
  const platform = useStandingPlatform();
  const bystander = useBystander(platform);
  const attacker = useUser(platform);

  const now = () => Math.floor(Date.now() / 1_000);

  async function sensorWithTexts(): Promise<string> {
    const id = await buildSensor(attacker, { data_type: 'string' });
    const start = now() - 3_600;
    for (let from = 0; from < TEXTS; from += 10) {
      const data = Array.from({ length: 10 }, (_, index) => ({
        value: `${'A'.repeat(65_000)}${from + index}`,
        date: start + from + index,
      }));
      await upload(attacker, id, data);
    }
    return id;
  }

  async function sensorWithNumbers(points: number): Promise<string> {
    const id = await buildSensor(attacker);
    const start = now() - 3_600 - points;
    await upload(
      attacker,
      id,
      Array.from({ length: points }, (_, index) => ({ value: index % 97, date: start + index })),
    );
    return id;
  }

  /** Triggers of an account from before the limit of different `x`. */
  async function plant(user: TestUser, sensorId: string, rules: readonly (readonly [string, string | null])[]) {
    const [{ insertId }] = await platform.pool.query<ResultSetHeader>(
      'INSERT INTO triggers (owner_id, name, expression, resolve_expression, created_ms) VALUES ?',
      [rules.map(([expression, resolve]) => [user.id, 'planted', expression, resolve, 1])],
    );
    await platform.pool.query('INSERT INTO sensor_triggers (sensor_id, trigger_id, due_bucket, created_ms) VALUES ?', [
      rules.map((_, index) => [sensorId, insertId + index, Number(sensorId) % 64, 1]),
    ]);
    // So that no cache says that the sensor has no trigger.
    await connectTrigger(user, sensorId, await buildTrigger(user, { expression: 'last_triggered < 0' }));
  }

  /** Uploads one point and waits until every trigger of the sensor has decided on it. Returns their errors. */
  async function decided(sensorId: string, value: unknown): Promise<string[]> {
    const date = now();
    await upload(attacker, sensorId, [{ value, date }]);
    let rows: { error: string; date: number | null }[] = [];
    await until(
      'all triggers have decided',
      async () => {
        const { body } = await attacker.api.get(`/sensors/${sensorId}/triggers?per_page=1000`);
        rows = body.triggers.map((one: Record<string, unknown>) => ({
          error: one.last_error,
          date: one.last_sensor_data_date,
        }));
        return rows.length > 0 && rows.every((row) => row.date === date);
      },
      DECIDED_MS,
    );
    return rows.flatMap(({ error }) => (error === '' ? [] : [error]));
  }

  /** On a slow machine the first points may take too long, and the next ones continue. */
  async function evaluated(sensorId: string, value: unknown): Promise<void> {
    for (let tries = 0; tries < 10; tries += 1) {
      if ((await decided(sensorId, value)).length === 0) return;
      await sleep(1_000);
    }
    assert.fail('the windows that are allowed are never evaluated');
  }

  it('by copies of long texts, as many as were ever allowed and as many as are', async () => {
    const [planted, allowed] = [await sensorWithTexts(), await sensorWithTexts()];
    const rules = Array.from({ length: 8 }, (_, index) => [copies(index * 100), null] as const);
    await plant(attacker, planted, rules);
    const triggerId = await buildTrigger(attacker, { expression: copies(0, DIFFERENT) });
    await connectTrigger(attacker, allowed, triggerId);
    const seen = await bystander.during(async () => {
      const errors = await decided(planted, 'A');
      await evaluated(allowed, 'A');
      console.log(`      ${JSON.stringify([...new Set(errors)])}`);
      for (const error of errors) assert.match(error, TOO_MUCH);
    });
    console.log(`      ${JSON.stringify(seen)}`);
  });

  it('by thousands of columns of numbers', async () => {
    const [planted, allowed] = [await sensorWithNumbers(NUMBERS), await sensorWithNumbers(NUMBERS)];
    const rules = Array.from({ length: 50 }, (_, index) => {
      return [shifted(index * 200), shifted(index * 200 + 100)] as const;
    });
    await plant(attacker, planted, rules);
    const triggerId = await buildTrigger(attacker, { expression: shifted(0, DIFFERENT) });
    await connectTrigger(attacker, allowed, triggerId);
    const seen = await bystander.during(async () => {
      const errors = await decided(planted, 1);
      assert.equal(errors.length, 50);
      for (const error of errors) assert.match(error, /^the windows of this sensor hold more than 4000000 bytes/);
      await evaluated(allowed, 1);
    });
    console.log(`      ${JSON.stringify(seen)}`);
  });

  it('by 100 triggers full of quantiles over 5,000 points', async () => {
    const sensorId = await sensorWithNumbers(NUMBERS);
    const rules = Array.from({ length: TRIGGERS - 1 }, (_, index) => [quantiles(index * 100), null] as const);
    await plant(attacker, sensorId, rules);
    const seen = await bystander.during(async () => {
      for (let point = 0; point < 5; point += 1) {
        const errors = await decided(sensorId, point);
        for (const error of errors) assert.match(error, /^computing the windows of this sensor takes too long/);
        await sleep(1_000);
      }
    });
    console.log(`      ${JSON.stringify(seen)}`);
  });

  it('by formulas full of quantiles', async () => {
    const sensorId = await sensorWithNumbers(4_000);
    for (let service = 0; service < SERVICES; service += 1) {
      const serviceId = await buildService(attacker, 'math_service', sensorId);
      const formula = `_${sensorId}_x>0&&${quantiles(service * 100, `_${sensorId}_x`).slice(0, -60)}`;
      const parameters = [formula.slice(0, formula.lastIndexOf('&&'))];
      const { status, body } = await attacker.api.post(`/sensors/${sensorId}/services/${serviceId}/SetExpression`, {
        parameters,
      });
      assert.equal(status, 200, JSON.stringify(body));
    }
    const seen = await bystander.during(async () => {
      const start = now() - 600;
      const data = Array.from({ length: 600 }, (_, index) => ({ value: index < 300 ? 0 : 1, date: start + index }));
      await upload(attacker, sensorId, data);
      await sleep(10_000);
    });
    console.log(`      ${JSON.stringify(seen)}`);
  });

  it('by backtests of long texts and of many sensors', async () => {
    const texts = await Promise.all(Array.from({ length: 3 }, () => sensorWithTexts()));
    const numbers = await Promise.all(Array.from({ length: 20 }, () => sensorWithNumbers(5_000)));
    const rules = [
      { sensor_ids: texts, trigger: { expression: copies(0, 10), resolve_expression: copies(100, 10) } },
      { sensor_ids: numbers, trigger: { expression: shifted(0, 10), resolve_expression: shifted(100, 10) } },
    ];
    const refused = { sensor_ids: texts, trigger: { expression: copies(0), resolve_expression: copies(100) } };
    const seen = await bystander.during(async () => {
      const { status, body } = await attacker.api.post('/triggers/backtest', refused);
      assert.deepEqual([status, /more than 20 different "x"/.test(body.error)], [400, true]);
      const [planted] = await platform.pool.query<ResultSetHeader>(
        'INSERT INTO triggers (owner_id, name, expression, resolve_expression, created_ms) VALUES (?)',
        [[attacker.id, 'planted', shifted(0), shifted(100), 1]],
      );
      for (const rule of rules) {
        const answer = await attacker.api.post('/triggers/backtest', { ...rule, start_date: now() - 1_000 });
        console.log(`      ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`);
        assert.equal(answer.status, 200);
      }
      const old = { sensor_ids: numbers, start_date: now() - 1_000 };
      const answer = await attacker.api.post(`/triggers/${planted.insertId}/backtest`, old);
      console.log(`      ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`);
      // On a slow machine the time ends first.
      if (answer.status === 200) assert.equal(answer.body.backtest.truncated, true);
      else assert.match(answer.body.error, /hold more than 32000000 bytes/);
    });
    console.log(`      ${JSON.stringify(seen)}`);
  });
});
