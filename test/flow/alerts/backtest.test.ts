import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { RowDataPacket } from 'mysql2/promise';
import { handleEvaluation } from '../../../workers/evaluation.worker';
import { buildAlarm } from '../../support/alarm';
import { upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUser } from '../../support/hooks';

const triggers = fc.constantFrom(
  { expression: 'sensor_data_value > 2' },
  { expression: 'sensor_data_value > last_sensor_data_value', inactivity: 100 },
  { expression: 'current_time - last_triggered > 150 and times_triggered < 4', inactivity: 61 },
  { inactivity: 60 },
  { expression: 'sensor_data_value > 1', hold: 120, repeat: 0 },
  { expression: 'sensor_data_value > 2', hold: 20, keep_firing_for: 90, resolve_expression: 'sensor_data_value < 2' },
  { expression: 'sensor_data_value > 1', inactivity: 100, repeat: 90 },
  { expression: 'avg_over_time(sensor_data_value, 400) > 2' },
  { expression: 'delta(sensor_data_value, 300) > 1 or changes(sensor_data_value, 500) == 0', repeat: 0 },
);
const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 250_000 }), fc.integer({ min: 0, max: 5 })), {
  maxLength: 15,
});

describe('a backtest over stored data', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const user = useUser(platform);

  /** The platform runs all the time, and checks the sensor whenever the clock has to decide. */
  const liveUntil = async (sensorId: string, untilMs: number) => {
    const { pool } = platform.container.database;
    const passAt = async (ms: number) => {
      clock.advance(ms - clock.now());
      await pool.query('UPDATE heartbeats SET accepting_until_ms = ?', [ms]);
      await handleEvaluation(
        { partition: Number(sensorId) % platform.container.config.partitions },
        platform.container,
      );
    };
    for (;;) {
      const [[row]] = await pool.query<RowDataPacket[]>(
        `SELECT due_at_ms AS due FROM sensor_triggers WHERE sensor_id = ? AND due_at_ms <= ?
         UNION SELECT condition_due_ms FROM sensor_triggers WHERE sensor_id = ? AND condition_due_ms < ? ORDER BY due`,
        [sensorId, untilMs, sensorId, untilMs],
      );
      if (!row) break;
      await passAt(row.due);
    }
    await passAt(untilMs);
  };

  it('finds exactly the firings that occurred live when points arrived at their dates', async () => {
    const sameAsLive = async (trigger: object, waits: [number, number][], after: number) => {
      const { sensorId, triggerId } = await buildAlarm(user, { trigger: { ...trigger }, notifications: [] });
      const start = clock.now();
      for (const [wait, value] of waits) {
        await liveUntil(sensorId, clock.now() + wait);
        await upload(user, sensorId, { value, date: clock.now() / 1000 });
        await liveUntil(sensorId, clock.now());
      }
      await liveUntil(sensorId, clock.now() + after);
      const live = (await user.api.get(`/sensors/${sensorId}/triggers/${triggerId}/firings?per_page=1000`)).body
        .firings;
      const scope = { sensor_ids: [sensorId], start_date: start / 1000, end_date: clock.now() / 1000 };
      const { status, body } = await user.api.post(`/triggers/${triggerId}/backtest`, scope);
      assert.equal(status, 200, JSON.stringify(body));
      const { firings, points, until, truncated } = body.backtest;
      assert.deepEqual([points, until, truncated], [waits.length, clock.now() / 1000, false]);
      assert.deepEqual(
        firings,
        live.map(({ sensor_id, date, reason, variables, ended, muted }: Record<string, Record<string, unknown>>) => ({
          muted,
          sensor_id,
          date,
          reason,
          value: variables?.sensor_data_value,
          variables,
          ended,
        })),
      );
    };
    await fc.assert(fc.asyncProperty(triggers, steps, fc.integer({ min: 0, max: 400_000 }), sameAsLive), {
      numRuns: 12,
      endOnFailure: true,
    });
  });
});
