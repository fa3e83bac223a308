import { findNotifications, labelOf } from '../../notifications';
import { Trigger } from '../../storage/models/trigger.model';
import type { RunSql } from '../../storage/transaction';
import { findSensorNames } from '../firings/firing-episodes';
import type { NoiseSubject, ReportedFiring } from './noise-report';

const FIRINGS_PER_READ = 500;

interface Scope {
  userId: number;
  startMs: number;
  /** Exclusive. */
  endMs: number;
}

/** Firings in order of time. Leaves out firings of deleted triggers and deleted sensors. */
export async function* readFirings(
  run: RunSql,
  { userId, startMs, endMs }: Scope,
): AsyncGenerator<readonly ReportedFiring[]> {
  let after = { firedMs: startMs, id: 0 };
  for (;;) {
    const rows = await run(
      `SELECT id, COALESCE(episode_id, id) AS episodeId, trigger_id AS triggerId, sensor_id AS sensorId, fired_ms AS firedMs,
         IF(is_lasting, NULL, COALESCE(ended_ms, fired_ms)) AS endedMs, acknowledged_ms AS acknowledgedMs
       FROM firings f
       WHERE owner_id = ? AND fired_ms >= ? AND fired_ms < ? AND (fired_ms > ? OR id > ?)
         AND EXISTS (SELECT 1 FROM triggers t WHERE t.id = f.trigger_id)
         AND EXISTS (SELECT 1 FROM sensors s WHERE s.id = f.sensor_id)
       ORDER BY fired_ms, id LIMIT ?`,
      [userId, after.firedMs, endMs, after.firedMs, after.id, FIRINGS_PER_READ],
    );
    const firings = rows.map(toFiring);
    yield firings;
    const last = firings.at(-1);
    if (!last || firings.length < FIRINGS_PER_READ) return;
    after = last;
  }
}

/** By id. Deleted things have no name. */
export async function readNames(by: NoiseSubject, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  switch (by) {
    case 'trigger': {
      const triggers = await Trigger.findAll({ where: { id: [...ids] }, attributes: ['id', 'name'] });
      return new Map(triggers.map(({ id, name }) => [id, name]));
    }
    case 'sensor':
      return findSensorNames(ids);
    case 'notification':
      return new Map((await findNotifications(ids)).map((one) => [one.id, labelOf(one)]));
  }
}

function toFiring(row: Record<string, unknown>): ReportedFiring {
  const { id, episodeId, triggerId, sensorId, firedMs, endedMs, acknowledgedMs } = row;
  return {
    ...{ id: Number(id), episodeId: Number(episodeId), triggerId: Number(triggerId), sensorId: Number(sensorId) },
    firedMs: Number(firedMs),
    endedMs: endedMs === null ? null : Number(endedMs),
    acknowledgedMs: acknowledgedMs === null ? null : Number(acknowledgedMs),
  };
}
