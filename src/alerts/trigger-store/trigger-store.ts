import type { Pool, PoolConnection } from 'mysql2/promise';
import type { PassEpochs } from '../../points';
import { inPoolTransaction, runOn } from '../../storage/transaction';
import type { StateChange } from '../rules/sensor-state';
import { type CacheLookup, type ChangedStates, checkCache, SensorCache } from './sensor-cache';
import { loadSensors, type PassSensor } from './sensor-states';
import { keepShadows, type ShadowResult } from './shadow-results';
import { flushBuffer } from './state-buffer';
import { writeStates } from './state-rows';
import { WindowCache } from './window-cache';
import { type BufferLimits, type PassBuffer, WriteBehindBuffer } from './write-behind-buffer';

/**
 * Rules and states for the passes of one process: rows, a cache of sensors, and a write-behind buffer. All others use
 * `editRules`.
 */
export class TriggerStore {
  readonly windows = new WindowCache();
  private readonly cache = new SensorCache();
  private readonly buffer: WriteBehindBuffer;

  /** `checksCache`: passes compare their cache with MySQL; for tests. */
  constructor(private readonly options: { limits?: BufferLimits; checksCache?: boolean } = {}) {
    this.buffer = new WriteBehindBuffer(options.limits);
  }

  /** For a pass that has just locked its partitions and bumped their epochs. */
  async open(connection: PoolConnection, epochs: PassEpochs, nowMs: number): Promise<PassStates> {
    const buffer = this.buffer.begin(epochs, nowMs);
    await buffer.flushDue(connection);
    return new PassStates(connection, epochs, this.cache.lookUp(epochs), buffer, this.options.checksCache === true);
  }

  /** Call it after the commit of the pass. */
  keep(
    states: PassStates,
    sensors: ReadonlyMap<number, PassSensor>,
    results: ChangedStates,
    shadows: readonly ShadowResult[],
  ): void {
    this.cache.keep(states.epochs, sensors, results);
    keepShadows(shadows);
    this.buffer.keep(states.buffer);
  }

  /** True if states are only in the buffer, as far as this process knows. */
  get isBuffering(): boolean {
    return this.buffer.isOpen;
  }

  /** A buffer without a flush for so long is overdue. */
  get overdueMs(): number {
    return this.buffer.overdueMs;
  }

  /** The next pass of these partitions flushes their buffers. */
  takeOverdue(nowMs: number): number[] {
    return this.buffer.takeOverdue(nowMs);
  }

  /** Flushes all buffers that this process knows. Call it after the last pass. */
  async flush(pool: Pool, partitionCount: number): Promise<void> {
    const partitions = this.buffer.takeOverdue(Number.POSITIVE_INFINITY);
    if (partitions.length === 0) return;
    await inPoolTransaction(pool, (connection) => flushBuffer(runOn(connection), { partitions, partitionCount }));
  }
}

export class PassStates {
  /** False if no shadow runs. */
  hasShadows = true;
  /** What it has read of owners beyond rules and states. */
  readonly readBytes = new Map<number, number>();

  constructor(
    private readonly connection: PoolConnection,
    readonly epochs: PassEpochs,
    /** Valid entries only. */
    readonly cached: CacheLookup,
    readonly buffer: PassBuffer,
    private readonly checksCache: boolean,
  ) {}

  async load(sensorIds: readonly number[]): Promise<Map<number, PassSensor>> {
    if (sensorIds.length === 0) return new Map();
    await this.buffer.flushFor(this.connection, sensorIds);
    return loadSensors(this.connection, sensorIds, this.hasShadows, (ownerId, bytes) =>
      this.readBytes.set(ownerId, (this.readBytes.get(ownerId) ?? 0) + bytes),
    );
  }

  async check(sensors: ReadonlyMap<number, PassSensor>): Promise<void> {
    if (this.checksCache) await checkCache(this.connection, sensors, this.epochs);
  }

  save(changes: readonly StateChange[]): Promise<void> {
    return writeStates(this.connection, changes, this.buffer);
  }
}
