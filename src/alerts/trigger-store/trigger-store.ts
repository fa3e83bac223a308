import type { Pool, PoolConnection } from 'mysql2/promise';
import type { PassEpochs } from '../../points';
import { inPoolTransaction, runOn } from '../../storage/transaction';
import type { StateChange } from '../rules/sensor-state';
import { type CacheLookup, type ChangedStates, checkCache, SensorCache } from './sensor-cache';
import { loadSensors, type PassSensor } from './sensor-states';
import { flushBuffer } from './state-buffer';
import { writeStates } from './state-rows';
import { WindowCache } from './window-cache';
import { type BufferLimits, type PassBuffer, WriteBehindBuffer } from './write-behind-buffer';

/**
 * The rules and states of sensors, as the passes of one process read and write them. Behind it are the rows, a cache of
 * sensors, and a write-behind buffer of states. All others change rules and states by `editRules`.
 */
export class TriggerStore {
  /** The points of windows, as far as passes have read them. */
  readonly windows = new WindowCache();
  private readonly cache = new SensorCache();
  private readonly buffer: WriteBehindBuffer;

  /** `checksCache`: each pass compares its cache with MySQL; for tests. */
  constructor(private readonly options: { limits?: BufferLimits; checksCache?: boolean } = {}) {
    this.buffer = new WriteBehindBuffer(options.limits);
  }

  /** The store for a pass that has just locked its partitions and bumped their epochs. */
  async open(connection: PoolConnection, epochs: PassEpochs, nowMs: number): Promise<PassStates> {
    const buffer = this.buffer.begin(epochs, nowMs);
    await buffer.flushDue(connection);
    return new PassStates(connection, epochs, this.cache.lookUp(epochs), buffer, this.options.checksCache === true);
  }

  /** Call after the commit of a pass: caches its sensors with the states that it wrote. */
  keep(states: PassStates, sensors: ReadonlyMap<number, PassSensor>, results: ChangedStates): void {
    this.cache.keep(states.epochs, sensors, results);
    this.buffer.keep(states.buffer);
  }

  /** True if states of any partition are only in the buffer, as far as this process knows. */
  get isBuffering(): boolean {
    return this.buffer.isOpen;
  }

  /** A buffer is overdue if no pass has flushed it for this long. */
  get overdueMs(): number {
    return this.buffer.overdueMs;
  }

  /** Partitions whose buffer is overdue. Their next pass flushes it. */
  takeOverdue(nowMs: number): number[] {
    return this.buffer.takeOverdue(nowMs);
  }

  /** Flushes all buffers that this process knows. Call after its last pass. */
  async flush(pool: Pool, partitionCount: number): Promise<void> {
    const partitions = this.buffer.takeOverdue(Number.POSITIVE_INFINITY);
    if (partitions.length === 0) return;
    await inPoolTransaction(pool, (connection) => flushBuffer(runOn(connection), { partitions, partitionCount }));
  }
}

/** The rules and states of sensors for one pass, whose partitions are locked. */
export class PassStates {
  constructor(
    private readonly connection: PoolConnection,
    readonly epochs: PassEpochs,
    /** A sensor from the cache, if its entry is valid. */
    readonly cached: CacheLookup,
    readonly buffer: PassBuffer,
    private readonly checksCache: boolean,
  ) {}

  /** The sensors from their rows. */
  async load(sensorIds: readonly number[]): Promise<Map<number, PassSensor>> {
    if (sensorIds.length === 0) return new Map();
    await this.buffer.flushFor(this.connection, sensorIds);
    return loadSensors(this.connection, sensorIds);
  }

  /** For tests: throws if these sensors differ from their rows. */
  async check(sensors: ReadonlyMap<number, PassSensor>): Promise<void> {
    if (this.checksCache) await checkCache(this.connection, sensors, this.epochs);
  }

  /** Writes changed states, in pipelined batches. */
  save(changes: readonly StateChange[]): Promise<void> {
    return writeStates(this.connection, changes, this.buffer);
  }
}
