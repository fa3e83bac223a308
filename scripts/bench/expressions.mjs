// Trigger expressions, compared with the bare library for the same text. The difference is our checks and guarded values.
import { createRequire } from 'node:module';
import { Rows } from './support/figures.mjs';

export const name = 'expressions';
export const order = 4;

const MEASURE_MS = 150;
const VARIABLES = {
  last_triggered: 1_795_229_000,
  times_triggered: 3,
  last_sensor_data_value: 29.5,
  last_sensor_data_date: 1_795_229_500,
  sensor_data_value: 31.2,
  sensor_data_date: 1_795_229_544.8,
  current_time: 1_795_229_545,
};
const EXPRESSIONS = [
  'sensor_data_value > 30',
  'sensor_data_value > 30 and last_sensor_data_value <= 30',
  'abs(sensor_data_value - last_sensor_data_value) / (sensor_data_date - last_sensor_data_date) > 0.5 or times_triggered < 3',
];

export async function run({ rounds }) {
  const require = createRequire(import.meta.url);
  const { compileExpression } = require('../../dist/src/language/expression.js');
  const { Parser } = require('expr-eval');
  const library = new Parser();
  const rows = new Rows();
  for (let round = -1; round < rounds; round += 1) {
    const kept = round < 0 ? new Rows() : rows; // the first round is a warm-up
    for (const [index, text] of EXPRESSIONS.entries()) {
      const label = `${index + 1}: ${text.length > 55 ? `${text.slice(0, 38)} …` : text}`;
      measure(kept, `limit: library, parse ${index + 1}`, () => library.parse(unseen(text)));
      measure(kept, `compile ${label}`, () => compiled(unseen(text)), `limit: library, parse ${index + 1}`);
      const parsed = library.parse(text);
      const expression = compiled(text);
      measure(kept, `limit: library, evaluate ${index + 1}`, () => parsed.evaluate(VARIABLES));
      measure(
        kept,
        `evaluate ${index + 1}`,
        () => expression.evaluate(VARIABLES),
        `limit: library, evaluate ${index + 1}`,
      );
      measure(kept, `look up ${index + 1}, once compiled`, () => compiled(text));
    }
  }
  return rows.list();

  function compiled(text) {
    const result = compileExpression(text);
    if (!result.ok) throw new Error(result.error);
    return result.expression;
  }
}

let unseenTexts = 0;

/** A text that is new, because compiled expressions are cached. */
function unseen(text) {
  unseenTexts += 1;
  return `${text} and times_triggered != ${unseenTexts}`;
}

function measure(rows, what, work, against) {
  const start = performance.now();
  let count = 0;
  while (performance.now() - start < MEASURE_MS) {
    for (let time = 0; time < 50; time += 1) work();
    count += 50;
  }
  rows.add(what, 'per second', (count * 1000) / (performance.now() - start), against);
}
