import { isDeepStrictEqual } from 'node:util';
import type { PoolConnection } from 'mysql2/promise';
import type { PassEpochs } from '../../points';
import { runOn } from '../../storage/transaction';
import type { SensorTriggerEntry, StateChange } from '../rules/sensor-state';
import { loadSensors, type PassSensor } from './sensor-states';
import { readBuffer } from './state-buffer';

export type ChangedStates = readonly { sensor: { id: number }; changes: { states: readonly StateChange[] } }[];

export type CacheLookup = (sensorId: number) => PassSensor | undefined;

interface CachedPartition {
  /** Epoch after the latest pass of this process. */
  version: number;
  sensors: Map<number, { sensor: PassSensor; bytes: number }>;
  bytes: number;
}

/** Beyond this size, the oldest entries are evicted. */
const BYTES = 32_000_000;
const BYTES_PER_ENTRY = 400;
const BYTES_PER_ID = 40;

/**
 * Caches rules and states of sensors after a pass. An entry is valid until something else bumps the epoch of the
 * partition, as every other pass and every change of this data does. The cache never affects the result of a pass, only
 * its duration.
 */
export class SensorCache {
  private readonly partitions = new Map<number, CachedPartition>();

  constructor(private readonly bytes = BYTES) {}

  lookUp({ versions, partitionCount }: PassEpochs): CacheLookup {
    for (const [partition, version] of versions) {
      if (this.partitions.get(partition)?.version !== version - 1) this.partitions.delete(partition);
    }
    return (sensorId) => {
      const partition = sensorId % partitionCount;
      return versions.has(partition) ? this.partitions.get(partition)?.sensors.get(sensorId)?.sensor : undefined;
    };
  }

  /** Call it after the commit. */
  keep(
    { versions, partitionCount }: PassEpochs,
    sensors: ReadonlyMap<number, PassSensor>,
    results: ChangedStates,
  ): void {
    const changed = new Map(results.map(({ sensor, changes }) => [sensor.id, changes.states]));
    for (const [partition, version] of versions) {
      const cached = this.partitions.get(partition) ?? { version, sensors: new Map(), bytes: 0 };
      this.partitions.set(partition, cached);
      cached.version = version;
    }
    for (const [sensorId, sensor] of sensors) {
      const partition = sensorId % partitionCount;
      const cached = this.partitions.get(partition);
      if (!cached || !versions.has(partition)) continue;
      keepStates(sensor.state?.triggers ?? [], changed.get(sensorId) ?? []);
      this.put(cached, sensorId, sensor, this.bytes / partitionCount);
    }
    for (const partition of versions.keys()) this.evictOldest(partition, this.bytes / partitionCount);
  }

  /** Adds the newest entry. While all entries fit, their order does not matter. */
  private put(cached: CachedPartition, sensorId: number, sensor: PassSensor, most: number): void {
    const bytes = sizeOf(sensor);
    const known = cached.sensors.get(sensorId);
    cached.bytes += bytes - (known?.bytes ?? 0);
    if (known !== undefined && cached.bytes > most / 2) cached.sensors.delete(sensorId);
    else if (known !== undefined) {
      known.sensor = sensor;
      known.bytes = bytes;
      return;
    }
    cached.sensors.set(sensorId, { sensor, bytes });
  }

  private evictOldest(partition: number, most: number): void {
    const cached = this.partitions.get(partition);
    for (const [sensorId, { bytes }] of cached?.sensors ?? []) {
      if (!cached || cached.bytes <= most) return;
      cached.sensors.delete(sensorId);
      cached.bytes -= bytes;
    }
  }
}

/** Both lists are in the order of the triggers. */
function keepStates(triggers: readonly SensorTriggerEntry[], changes: readonly StateChange[]): void {
  let at = 0;
  for (const trigger of triggers) {
    const change = changes[at];
    if (change?.sensorTriggerId !== trigger.sensorTriggerId) continue;
    trigger.state = change.state;
    at += 1;
  }
}

function sizeOf({ state, fleets = [] }: PassSensor): number {
  let bytes = BYTES_PER_ENTRY * (1 + fleets.length + (state?.sensor.labels?.values.size ?? 0));
  for (const { triggers } of state?.mutes ?? []) bytes += BYTES_PER_ENTRY + BYTES_PER_ID * (triggers?.size ?? 0);
  for (const { expression, triggerName, state: cached } of state?.triggers ?? []) {
    const characters = (expression?.length ?? 0) + triggerName.length + (cached.lastValue?.length ?? 0);
    bytes += BYTES_PER_ENTRY + 2 * characters;
  }
  for (const { memory, rule } of state?.shadows?.entries ?? [])
    bytes += BYTES_PER_ENTRY + 2 * ((memory?.length ?? BYTES_PER_ENTRY) + (rule.expression?.length ?? 0));
  return bytes;
}

/**
 * Throws where the cache differs from MySQL: a change has not bumped its epoch. For tests, because it reads everything.
 */
export async function checkCache(
  connection: PoolConnection,
  sensors: ReadonlyMap<number, PassSensor>,
  { versions, partitionCount }: PassEpochs,
): Promise<void> {
  const buffer = await readBuffer(runOn(connection), { partitions: [...versions.keys()], partitionCount });
  for (const [id, { state, serviceIds, fleets = [] }] of await loadSensors(connection, [...sensors.keys()], true)) {
    const known = sensors.get(id);
    for (const trigger of state?.triggers ?? []) {
      const latest = buffer.get(trigger.sensorTriggerId);
      if (latest && latest.dateMs > (trigger.state.lastDateMs ?? -1))
        trigger.state = { ...trigger.state, lastDateMs: latest.dateMs, lastValue: latest.value };
    }
    // A cached service that was deleted with its virtual sensor is not computed.
    const isSame =
      isDeepStrictEqual(known?.state, state) &&
      serviceIds.every((one) => known?.serviceIds.includes(one)) &&
      fleets.every((one) => known?.fleets?.some((fleet) => isDeepStrictEqual(fleet, one)));
    if (!isSame) throw new Error(`the memory of sensor ${id} differs from the database`);
  }
}
