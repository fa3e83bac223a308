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
/** Longer values are seldom equal, and would fill the memory. */
const LONGEST = 100;
const MOST_VALUES = 10_000;

/** Evaluates each expression that reads nothing but the value once per value, for all rules on the same points. */
export class ValueResults {
  private readonly places = new Map<string, number>();
  private readonly rows = new Map<string, Map<string, ValueRow>>();

  constructor(expressions: Iterable<string | null>) {
    for (const text of expressions) {
      if (text !== null && !this.places.has(text) && readsOnlyValue(text)) this.places.set(text, this.places.size);
    }
  }

  /** Undefined for an expression that reads more than the value. */
  of(expression: string | null): ValueResult | undefined {
    const place = expression === null ? undefined : this.places.get(expression);
    return expression === null || place === undefined ? undefined : new ValueResult(expression, place);
  }

  /** A row for each point. */
  rowsOf(points: readonly SensorDataPoint[], dataTypes: ReadonlyMap<number, string>): readonly ValueRow[] | undefined {
    if (this.places.size === 0) return undefined;
    return points.map(({ sensorId, value }) =>
      value.length > LONGEST ? this.newRow() : this.rowOf(value, dataTypes.get(sensorId) ?? ''),
    );
  }

  private rowOf(value: string, dataType: string): ValueRow {
    const ofType = this.rows.get(dataType) ?? new Map<string, ValueRow>();
    const known = ofType.get(value);
    if (known) return known;
    this.rows.set(dataType, ofType);
    if (ofType.size >= MOST_VALUES) ofType.clear();
    const row = this.newRow();
    ofType.set(value, row);
    return row;
  }

  private newRow(): ValueRow {
    return new Uint8Array(this.places.size);
  }
}

/** Results of one expression. */
export class ValueResult {
  private readonly expression: CompiledExpression;

  constructor(
    text: string,
    private readonly place: number,
  ) {
    const compiled = compileExpression(text);
    if (!compiled.ok) throw new Error('an expression with a place is compiled');
    this.expression = compiled.expression;
  }

  /** Undefined without a result. */
  isTrue(row: ValueRow, value: string, dataType: string): boolean | undefined {
    const known = row[this.place] || this.evaluate(value, dataType);
    row[this.place] = known;
    return known === NO_RESULT ? undefined : known === TRUE;
  }

  private evaluate(value: string, dataType: string): number {
    const result = this.expression.evaluate({ sensor_data_value: readValue(value, dataType) });
    if (!result.ok) return NO_RESULT;
    return result.value ? TRUE : FALSE;
  }
}

function readsOnlyValue(text: string): boolean {
  const compiled = compileExpression(text);
  return compiled.ok && compiled.expression.readsOnlyValue;
}
