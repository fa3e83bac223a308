import { encodeDecision } from '../rules/decision-record';
import type { Decided } from '../rules/sensor-state';

/** Maximum number of decisions kept for each sensor trigger. */
export const MAX_DECISIONS_PER_TRIGGER = 100;
/** Approximate number of bytes kept for each sensor trigger: fewer decisions are kept if their texts are long. */
const BYTES_PER_TRIGGER = 20_000;
const MIN_DECISIONS_PER_TRIGGER = 10;

const BYTES = 4_194_304;
const DECISIONS = 65_536;
/** UTF-8 bytes of one UTF-16 code unit, at most. */
const MAX_BYTES_PER_CHARACTER = 3;
const NONE = -1;

/** The decisions of one sensor's triggers, as one entry of the sensor's list. */
export interface CollectedEntry {
  sensorId: number;
  sensorTriggers: number;
  /** How many entries like this one are kept for the sensor. */
  kept: number;
  /** A list of results of `encodeDecision`, oldest first. */
  text: string;
}

/**
 * Buffers decisions until the next Redis command, as bytes outside V8's heap. There they cause no garbage collection:
 * strings that live for a second are moved twice and then fill the old space. The memory is allocated with the first
 * decision.
 */
export class CollectedDecisions {
  private bytes: Buffer | undefined;
  private used = 0;
  private count = 0;
  private readonly ends: number[] = [];
  private readonly sensorTriggerIds: number[] = [];
  /** Index of the previous decision of the same sensor. */
  private readonly previous: number[] = [];
  /** Index of the latest decision of each sensor. */
  private readonly latest = new Map<number, number>();

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** Adds a decision. Returns false if there is no room for it. */
  add(decided: Decided): boolean {
    this.bytes ??= Buffer.allocUnsafeSlow(BYTES);
    const text = encodeDecision(decided);
    if (this.count === DECISIONS || this.used + text.length * MAX_BYTES_PER_CHARACTER > BYTES) return false;
    this.used += this.bytes.write(text, this.used);
    this.ends[this.count] = this.used;
    this.sensorTriggerIds[this.count] = decided.sensorTriggerId;
    this.previous[this.count] = this.latest.get(decided.sensorId) ?? NONE;
    this.latest.set(decided.sensorId, this.count);
    this.count += 1;
    return true;
  }

  *entries(): Generator<CollectedEntry> {
    for (const [sensorId, latest] of this.latest) yield { sensorId, ...this.entryOf(latest) };
  }

  clear(): void {
    this.used = 0;
    this.count = 0;
    this.latest.clear();
  }

  /** The latest decisions of each trigger: as many as the trigger with the longest texts may keep. */
  private entryOf(latest: number): Omit<CollectedEntry, 'sensorId'> {
    const counts = new Map<number, number>();
    let kept = MAX_DECISIONS_PER_TRIGGER;
    let most = 0;
    for (let at = latest; at !== NONE; at = this.previous[at] ?? NONE) {
      const id = this.sensorTriggerIds[at] ?? 0;
      const count = (counts.get(id) ?? 0) + 1;
      if (count === 1) kept = Math.min(kept, keptOf(this.lengthOf(at)));
      most = Math.max(most, count);
      counts.set(id, count);
    }
    const texts: string[] = [];
    const taken = new Map<number, number>();
    for (let at = latest; at !== NONE; at = this.previous[at] ?? NONE) {
      if (most > kept) {
        const id = this.sensorTriggerIds[at] ?? 0;
        const count = (taken.get(id) ?? 0) + 1;
        taken.set(id, count);
        if (count > kept) continue;
      }
      texts.push(this.textOf(at));
    }
    const text = `[${texts.reverse().join()}]`;
    return { sensorTriggers: counts.size, kept: Math.ceil(kept / Math.min(most, kept)), text };
  }

  private lengthOf(at: number): number {
    return (this.ends[at] ?? 0) - (this.ends[at - 1] ?? 0);
  }

  private textOf(at: number): string {
    return this.bytes?.toString('utf8', this.ends[at - 1] ?? 0, this.ends[at]) ?? '';
  }
}

/** How many decisions are kept for a sensor trigger, given the length of its latest one. */
function keptOf(bytes: number): number {
  const affordable = Math.floor(BYTES_PER_TRIGGER / Math.max(1, bytes));
  return Math.min(MAX_DECISIONS_PER_TRIGGER, Math.max(MIN_DECISIONS_PER_TRIGGER, affordable));
}
