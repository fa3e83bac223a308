import type { Pool } from 'mysql2/promise';
import { readNextWaiting } from '../../notifications';
import type { SensorTrigger } from '../../storage/models/sensor-trigger.model';
import type { SensorTriggerPair } from '../../storage/models/sensor-trigger-pair';
import { Trigger } from '../../storage/models/trigger.model';
import { runOn } from '../../storage/transaction';
import { readLateCounts } from '../trigger-store/late-points';

export async function pairsOf(pool: Pool, sensorTriggers: readonly SensorTrigger[]): Promise<SensorTriggerPair[]> {
  const triggers = await Trigger.findAll({ where: { id: sensorTriggers.map((one) => one.triggerId) } });
  const byId = new Map(triggers.map((trigger) => [trigger.id, trigger]));
  const pairs = sensorTriggers.flatMap((sensorTrigger) => {
    const trigger = byId.get(sensorTrigger.triggerId);
    return trigger ? [{ sensorTrigger, trigger }] : [];
  });
  return withDetails(pool, pairs);
}

export async function withDetails(pool: Pool, pairs: readonly SensorTriggerPair[]): Promise<SensorTriggerPair[]> {
  const open = pairs.flatMap(({ sensorTrigger: { id, episodeMs, inactivityEpisodeMs } }) =>
    [episodeMs, inactivityEpisodeMs].flatMap((beganMs) => (beganMs === null ? [] : [[id, beganMs] as const])),
  );
  const ids = pairs.map(({ sensorTrigger }) => sensorTrigger.id);
  const [next, late] = await Promise.all([readNextWaiting(runOn(pool), open), readLateCounts(runOn(pool), ids)]);
  return pairs.map(({ sensorTrigger, trigger }) => ({
    sensorTrigger,
    trigger,
    waiting: next.get(sensorTrigger.id),
    late: late.get(sensorTrigger.id),
  }));
}
