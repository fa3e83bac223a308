import { isInTeam, triggersOfOthersSql } from '../../access/alert-access';
import { findNotifications, labelOf } from '../../notifications';
import { Trigger } from '../../storage/models/trigger.model';
import type { RunSql } from '../../storage/transaction';
import { findSensorNames } from '../firings/firing-episodes';
import type { NoiseSubject, ReportedFiring } from './noise-report';

const FIRINGS_PER_READ = 500;

interface Scope {
  userId: number;
  /** True with those of others that the user sees. */
  isOfTeam: boolean;
  startMs: number;
  /** Exclusive. */
  endMs: number;
}

/** Firings in order of time. Leaves out firings of deleted triggers and deleted sensors. */
export async function* readFirings(
  run: RunSql,
  { userId, isOfTeam, startMs, endMs }: Scope,
): AsyncGenerator<readonly ReportedFiring[]> {
  let after = { firedMs: startMs, id: 0 };
  const withOthers = isOfTeam && (await isInTeam(run, userId));
  const others = `(${triggersOfOthersSql(userId, 'see')}) v JOIN firings f ON f.owner_id = v.owner_id AND f.trigger_id = v.id`;
  const sources = [`firings f WHERE f.owner_id = ${Number(userId)} AND`, ...(withOthers ? [`${others} WHERE`] : [])];
  const parts = sources.map((source) => `SELECT ${COLUMNS} FROM ${source} ${IN_RANGE} ORDER BY firedMs, id LIMIT ?`);
  for (;;) {
    const values = [after.firedMs, endMs, after.firedMs, after.id, FIRINGS_PER_READ];
    const [own = '', ofOthers] = parts;
    const rows = ofOthers
      ? await run(`(${own}) UNION ALL (${ofOthers}) ORDER BY firedMs, id LIMIT ?`, [
          ...values,
          ...values,
          FIRINGS_PER_READ,
        ])
      : await run(own, values);
    const firings = rows.map(toFiring);
    yield firings;
    const last = firings.at(-1);
    if (!last || firings.length < FIRINGS_PER_READ) return;
    after = last;
  }
}

const COLUMNS = `f.id, f.owner_id AS ownerId, COALESCE(f.episode_id, f.id) AS episodeId, f.trigger_id AS triggerId,
  f.sensor_id AS sensorId, f.fired_ms AS firedMs, IF(f.is_lasting, NULL, COALESCE(f.ended_ms, f.fired_ms)) AS endedMs,
  f.acknowledged_ms AS acknowledgedMs`;
const IN_RANGE = `f.fired_ms >= ? AND f.fired_ms < ? AND (f.fired_ms > ? OR f.id > ?)
  AND EXISTS (SELECT 1 FROM triggers t WHERE t.id = f.trigger_id)
  AND EXISTS (SELECT 1 FROM sensors s WHERE s.id = f.sensor_id)`;

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
  const { id, ownerId, episodeId, triggerId, sensorId, firedMs, endedMs, acknowledgedMs } = row;
  return {
    ...{ id: Number(id), ownerId: Number(ownerId), episodeId: Number(episodeId) },
    ...{ triggerId: Number(triggerId), sensorId: Number(sensorId) },
    firedMs: Number(firedMs),
    endedMs: endedMs === null ? null : Number(endedMs),
    acknowledgedMs: acknowledgedMs === null ? null : Number(acknowledgedMs),
  };
}
