import { encodeDecision } from '../rules/decision-record';
import type { Decided } from './actors/sensor.state';

/** Decisions that are kept of each sensor trigger. */
export const MAX_DECISIONS_PER_TRIGGER = 100;
/** Of decisions about long texts fewer are kept: about so many bytes of each sensor trigger. */
const BYTES_PER_TRIGGER = 20_000;
const MIN_DECISIONS_PER_TRIGGER = 10;

const BYTES = 4_194_304;
const DECISIONS = 65_536;
/** Of one character of a text. */
const MAX_BYTES_PER_CHARACTER = 3;
const NONE = -1;

/** What the triggers of one sensor have decided, as an entry of its list. */
export interface CollectedEntry {
  sensorId: number;
  sensorTriggers: number;
  /** How many entries like this one are kept of the sensor. */
  kept: number;
  /** A list of what `encodeDecision` made, oldest first. */
  text: string;
}

/**
 * Decisions that wait for the next command, as bytes outside of V8's heap. There they cost no garbage collection: texts that wait for a
 * second are moved twice, then fill the old space. Its memory is allocated with the first decision.
 */
export class CollectedDecisions {
  private bytes: Buffer | undefined;
  private used = 0;
  private count = 0;
  private readonly ends: number[] = [];
  private readonly sensorTriggerIds: number[] = [];
  /** The one before it of the same sensor. */
  private readonly previous: number[] = [];
  /** The latest of each sensor. */
  private readonly latest = new Map<number, number>();

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** Takes a decision; false when there is no room for it. */
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

  /** An entry for each sensor. */
  *entries(): Generator<CollectedEntry> {
    for (const [sensorId, latest] of this.latest) yield { sensorId, ...this.entryOf(latest) };
  }

  clear(): void {
    this.used = 0;
    this.count = 0;
    this.latest.clear();
  }

  /** Of each of its triggers the latest decisions, as many as are kept of all of them. */
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

/** How many decisions are kept of a sensor trigger, by the length of the latest one. */
function keptOf(bytes: number): number {
  const affordable = Math.floor(BYTES_PER_TRIGGER / Math.max(1, bytes));
  return Math.min(MAX_DECISIONS_PER_TRIGGER, Math.max(MIN_DECISIONS_PER_TRIGGER, affordable));
}
