import { readNumber } from '../../language/sensor-value';
import { isRecord } from '../../platform/is-record';
import { parseRecord } from '../../platform/parse-record';
import type { SingleAggregate } from './aggregates';

/** Beyond these limits the fields of an interval are not shown. */
export const MOST_AGGREGATED = { fields: 1_000, characters: 100_000 };
const MAX_DEPTH = 20;
/** Larger numbers are left out, so that sums stay finite. */
const LARGEST = 1e140;

type Fields = Readonly<Record<string, unknown>>;

class Field {
  numbers?: Record<SingleAggregate, number>;
  readonly inner = new Map<string, Field>();

  add(number: number): void {
    const known = this.numbers;
    if (!known) {
      this.numbers = { count: 1, sum: number, mean: number, min: number, max: number, first: number, last: number };
      return;
    }
    known.count += 1;
    known.sum += number;
    known.mean = known.sum / known.count;
    known.min = Math.min(known.min, number);
    known.max = Math.max(known.max, number);
    known.last = number;
  }
}

/** Takes values in order of date. */
export class FieldAggregates {
  private readonly root = new Field();
  private first?: Fields;
  private latest?: Fields;
  private fields = 0;
  private characters = 0;

  /** Skips anything but a JSON object. Returns false once there are more fields than can be shown. */
  add(value: string): boolean {
    const object = value.startsWith('{') ? parseRecord(value) : undefined;
    if (!object) return true;
    this.first ??= object;
    this.latest = object;
    this.collect(this.root, object, 0);
    return this.fields <= MOST_AGGREGATED.fields && this.characters <= MOST_AGGREGATED.characters;
  }

  /**
   * Shows aggregates of fields with numbers, and the last value of others (the first, for `first`; 0 for `count`).
   * Undefined without objects, or if one is nested too deeply.
   */
  show(aggregate: SingleAggregate): string | undefined {
    const like = aggregate === 'first' ? this.first : this.latest;
    try {
      return like && shownFields(this.root, like, aggregate);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  private collect(into: Field, object: Fields, depth: number): void {
    for (const [name, value] of Object.entries(object)) {
      const number = numberIn(value);
      const isInner = number === null && isRecord(value) && depth < MAX_DEPTH;
      if (number === null && !isInner) continue;
      const known = into.inner.get(name);
      const field = known ?? new Field();
      if (isInner) this.collect(field, value, depth + 1);
      else if (number !== null) field.add(number);
      if (known || (isInner && field.inner.size === 0)) continue;
      into.inner.set(name, field);
      this.fields += 1;
      this.characters += name.length;
    }
  }
}

function shownFields(field: Field, like: Fields, aggregate: SingleAggregate): string {
  const names = new Set([...Object.keys(like), ...field.inner.keys()]);
  const shown = [...names].map((name) => {
    const own = Object.hasOwn(like, name) ? like[name] : undefined;
    return `${JSON.stringify(name)}:${shownField(field.inner.get(name), own, aggregate)}`;
  });
  return `{${shown.join()}}`;
}

function shownField(field: Field | undefined, like: unknown, aggregate: SingleAggregate): string {
  if (field?.numbers) return JSON.stringify(field.numbers[aggregate]);
  const inner = isRecord(like) ? like : {};
  if (field && field.inner.size > 0) return shownFields(field, inner, aggregate);
  return aggregate === 'count' ? '0' : JSON.stringify(like);
}

function numberIn(value: unknown): number | null {
  const number = typeof value === 'string' ? readNumber(value) : value;
  return typeof number === 'number' && Math.abs(number) < LARGEST ? number : null;
}
