import { encodeDecision } from '../rules/decision-record';
import type { Decided } from '../rules/sensor-state';

export const MAX_DECISIONS_PER_TRIGGER = 100;
/** Fewer decisions are kept if their texts are long. */
const BYTES_PER_TRIGGER = 20_000;
const MIN_DECISIONS_PER_TRIGGER = 10;

const BYTES = 4_194_304;
const DECISIONS = 65_536;
/** UTF-8 bytes of one UTF-16 code unit, at most. */
const MAX_BYTES_PER_CHARACTER = 3;
const NONE = -1;

export interface CollectedEntry {
  sensorId: number;
  sensorTriggers: number;
  kept: number;
  /** Results of `encodeDecision`, oldest first. */
  text: string;
}

/**
 * Buffers decisions until the next Redis command, as bytes outside V8's heap: strings that live for a second are moved
 * twice and then fill the old space. The first decision allocates the memory.
 */
export class CollectedDecisions {
  private bytes: Buffer | undefined;
  private used = 0;
  private count = 0;
  private readonly ends: number[] = [];
  private readonly sensorTriggerIds: number[] = [];
  private readonly previous: number[] = [];
  private readonly latest = new Map<number, number>();

  get isEmpty(): boolean {
    return this.count === 0;
  }

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

function keptOf(bytes: number): number {
  const affordable = Math.floor(BYTES_PER_TRIGGER / Math.max(1, bytes));
  return Math.min(MAX_DECISIONS_PER_TRIGGER, Math.max(MIN_DECISIONS_PER_TRIGGER, affordable));
}
