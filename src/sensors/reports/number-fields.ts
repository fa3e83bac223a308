import { readNumber } from '../../language/sensor-value';
import { isRecord } from '../../platform/is-record';
import { parseRecord } from '../../platform/parse-record';

/** Further fields of JSON values are left out. */
const MOST_FIELDS = 20;
const MAX_DEPTH = 5;

export interface NumberSummary {
  count: number;
  sum: number;
  minimum: number;
  maximum: number;
}

/**
 * Summaries of plain numbers, named `""`, and of the fields of JSON objects with numbers, nested ones by their paths.
 */
export class NumberFields {
  readonly summaries = new Map<string, NumberSummary>();

  add(value: string): void {
    const object = value.startsWith('{') ? parseRecord(value) : undefined;
    if (object) this.addFields(object, '', 1);
    else this.addNumber('', readNumber(value));
  }

  private addFields(object: object, prefix: string, depth: number): void {
    for (const [name, value] of Object.entries(object)) {
      const path = prefix + name;
      if (typeof value === 'number') this.addNumber(path, value);
      else if (typeof value === 'string') this.addNumber(path, readNumber(value));
      else if (isRecord(value) && depth < MAX_DEPTH) this.addFields(value, `${path}.`, depth + 1);
    }
  }

  private addNumber(field: string, number: number | null): void {
    if (number === null || !Number.isFinite(number)) return;
    const known = this.summaries.get(field);
    if (known) {
      known.count += 1;
      known.sum += number;
      known.minimum = Math.min(known.minimum, number);
      known.maximum = Math.max(known.maximum, number);
    } else if (this.summaries.size < MOST_FIELDS) {
      this.summaries.set(field, { count: 1, sum: number, minimum: number, maximum: number });
    }
  }
}
