import type { CompiledExpression } from '../../language/compiled-expression';
import { compileExpression } from '../../language/expression';
import { readValue } from '../../language/sensor-value';
import type { SensorDataPoint } from '../../points';

/** By the place of an expression: what is known of its result for a value. */
export type ValueRow = Uint8Array;

/** 0 is not known yet. */
const FALSE = 1;
const TRUE = 2;
const NO_RESULT = 3;
/** Longer values are seldom equal. */
const LONGEST = 100;
const MOST_BYTES = 8_000_000;
/** About what a row takes without its value and its results. */
const ROW_BYTES = 300;

/** Evaluates each expression that reads nothing but the value once per value, for all rules on the same points. */
export class ValueResults {
  private readonly expressions = new Map<string, ValueResult>();
  private readonly rows = new Map<string, Map<string, ValueRow>>();
  private bytes = 0;

  constructor(texts: Iterable<string | null>) {
    for (const text of new Set(texts)) {
      const compiled = text === null ? undefined : compileExpression(text);
      if (text === null || !compiled?.ok || !compiled.expression.readsOnlyValue) continue;
      this.expressions.set(text, new ValueResult(compiled.expression, this.expressions.size));
    }
  }

  /** Undefined for an expression that reads more than the value. */
  of(expression: string | null): ValueResult | undefined {
    return expression === null ? undefined : this.expressions.get(expression);
  }

  /** For each point a row, while there is room. Call it when the rows of earlier points are no longer used. */
  rowsOf(
    points: readonly SensorDataPoint[],
    dataTypes: ReadonlyMap<number, string>,
  ): readonly (ValueRow | undefined)[] | undefined {
    if (this.expressions.size === 0) return undefined;
    if (this.bytes >= MOST_BYTES) {
      this.rows.clear();
      this.bytes = 0;
    }
    return points.map(({ sensorId, value }) => this.rowOf(value, dataTypes.get(sensorId) ?? ''));
  }

  private rowOf(value: string, dataType: string): ValueRow | undefined {
    const known = this.rows.get(dataType)?.get(value);
    if (known || value.length > LONGEST || this.bytes >= MOST_BYTES) return known;
    const row = new Uint8Array(this.expressions.size);
    const ofType = this.rows.get(dataType) ?? new Map<string, ValueRow>();
    this.rows.set(dataType, ofType.set(value, row));
    this.bytes += ROW_BYTES + value.length + row.length;
    return row;
  }
}

/** Results of one expression. */
export class ValueResult {
  constructor(
    private readonly expression: CompiledExpression,
    private readonly place: number,
  ) {}

  /** Undefined without a result. */
  isTrue(row: ValueRow | undefined, value: string, dataType: string): boolean | undefined {
    const known = row?.[this.place] || this.evaluate(value, dataType);
    if (row) row[this.place] = known;
    return known === NO_RESULT ? undefined : known === TRUE;
  }

  private evaluate(value: string, dataType: string): number {
    const result = this.expression.evaluate({ sensor_data_value: readValue(value, dataType) });
    if (!result.ok) return NO_RESULT;
    return result.value ? TRUE : FALSE;
  }
}
