export interface SingleComparison {
  /** The value, or one of its fields: `sensor_data_value.celsius`. */
  operand: string;
  operator: '>' | '>=' | '<' | '<=';
  number: string;
}

const COMPARISON = /^\s*(sensor_data_value(?:\.\w{1,100})*)\s*(>=|<=|>|<)\s*([+-]?\d{1,20}(?:\.\d{1,20})?)\s*$/;

/** Undefined unless the whole expression compares the value, or a field, with a number. */
export function singleComparison(expression: string): SingleComparison | undefined {
  const [, operand, operator, number] = COMPARISON.exec(expression) ?? [];
  if (operand === undefined || number === undefined) return undefined;
  return { operand, operator: operator as SingleComparison['operator'], number }; // one of those of the pattern
}
