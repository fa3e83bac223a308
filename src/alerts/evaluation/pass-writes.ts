import type { PoolConnection } from 'mysql2/promise';
import { countConnectedNotifications } from '../../notifications';
import { runOn } from '../../storage/transaction';
import type { SensorChanges } from '../rules/sensor-state';

/**
 * Maximum number of firings and ends of episodes in a pass, which then ends after its current sensor. Writing them with
 * their deliveries takes some tenths of a second.
 */
const FIRINGS_PER_PASS = 500;
/** Maximum number of their deliveries. Each has a text of up to 10,000 characters and more. */
const DELIVERIES_PER_PASS = 1_000;
/** Maximum number of its shadows: all may fire at once. */
const SHADOWS_PER_PASS = 2_000;
/** Deliveries are counted for so many firings and ends at a time. Most passes have fewer. */
const COUNTED_AT_ONCE = 25;

/** Counts what a pass is going to write. */
export class PassWrites {
  private firings = 0;
  private deliveries = 0;
  private shadows = 0;
  /** The sensor triggers whose deliveries are not counted yet. */
  private uncounted: number[] = [];

  constructor(private readonly connection: PoolConnection) {}

  /** True if the pass must leave its other sensors to the next one. */
  get isFull(): boolean {
    if (this.firings >= FIRINGS_PER_PASS || this.deliveries >= DELIVERIES_PER_PASS) return true;
    return this.shadows >= SHADOWS_PER_PASS;
  }

  /** Adds the changes of a sensor, and counts their deliveries if many firings and ends have come together. */
  async add({ firings, ends }: Pick<SensorChanges, 'firings' | 'ends'>, shadows = 0): Promise<void> {
    this.shadows += shadows;
    this.firings += firings.length + ends.length;
    for (const { sensorTriggerId } of [...firings, ...ends]) this.uncounted.push(sensorTriggerId);
    if (this.uncounted.length < COUNTED_AT_ONCE || this.isFull) return;
    const ids = this.uncounted;
    this.uncounted = [];
    this.deliveries += await countConnectedNotifications(runOn(this.connection), ids);
  }
}
