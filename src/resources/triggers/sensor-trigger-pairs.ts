import type { Pool } from 'mysql2/promise';
import { readNextWaiting } from '../../delivery/escalations';
import type { SensorTrigger } from '../../storage/models/sensor-trigger.model';
import type { SensorTriggerPair } from '../../storage/models/sensor-trigger-pair';
import { Trigger } from '../../storage/models/trigger.model';
import { runOn } from '../../storage/transaction';

/** Each sensor trigger with its trigger and what waits for its episode, with a fixed number of statements. */
export async function pairsOf(pool: Pool, sensorTriggers: readonly SensorTrigger[]): Promise<SensorTriggerPair[]> {
  const triggers = await Trigger.findAll({ where: { id: sensorTriggers.map((one) => one.triggerId) } });
  const byId = new Map(triggers.map((trigger) => [trigger.id, trigger]));
  const pairs = sensorTriggers.flatMap((sensorTrigger) => {
    const trigger = byId.get(sensorTrigger.triggerId);
    return trigger ? [{ sensorTrigger, trigger }] : [];
  });
  return withWaiting(pool, pairs);
}

/** The pairs with what waits for their open episodes. Reads nothing if no episode is open. */
export async function withWaiting(pool: Pool, pairs: readonly SensorTriggerPair[]): Promise<SensorTriggerPair[]> {
  const open = pairs.flatMap(({ sensorTrigger: { id, episodeMs, inactivityEpisodeMs } }) =>
    [episodeMs, inactivityEpisodeMs].flatMap((beganMs) => (beganMs === null ? [] : [[id, beganMs] as const])),
  );
  const next = await readNextWaiting(runOn(pool), open);
  return pairs.map(({ sensorTrigger, trigger }) => ({
    sensorTrigger,
    trigger,
    waiting: next.get(sensorTrigger.id),
  }));
}
