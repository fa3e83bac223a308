import { columnOf, formatValue, readFields, type Units } from '../format';
import { apartParts } from '../quantity';

/** A label has no room for more fields of a JSON value. */
const MOST_FIELDS = 2;

/** Writes the values of a plan: each with its own decimals, and fields without their names: units distinguish them. */
export function planParts(all: readonly (readonly [text: string, units: Units])[]) {
  const write = columnOf(all, apartParts);
  return (text: string, units: Units): ReturnType<typeof write> => {
    const fields = Object.entries(readFields(text) ?? {});
    if (fields.length === 0) return write(text, units);
    const shown = fields
      .slice(0, MOST_FIELDS)
      .map(([name, field]) => formatValue(String(field), { unit: units.field_units?.[name] ?? '' }));
    return { value: shown.join(' · '), unit: '' };
  };
}
