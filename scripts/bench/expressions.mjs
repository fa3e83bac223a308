// Trigger expressions, compared with the bare library for the same text. The difference is our checks and guarded values.
// Zones of a point among 200 outlines of 100 corners.
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
  const { ZoneIndex } = require('../../dist/src/language/zones/zone-index.js');
  const library = new Parser();
  const zones = Object.entries(OUTLINES).map(([what, outlineOf]) => {
    const all = Array.from({ length: ZONES }, (_, at) => ({ name: `zone ${at}`, outline: outlineOf(at) }));
    return [`zone() of a point, ${what}`, new ZoneIndex(all)];
  });
  const rows = new Rows();
  for (let round = -1; round < rounds; round += 1) {
    const kept = round < 0 ? new Rows() : rows; // the first round is a warm-up
    for (const [label, index] of zones) measure(kept, label, () => index.zoneAt(...nextPlace()));
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

const ZONES = 200;
const PLACES = 64;

/** Outlines of 100 corners, whose middle is at 0 0 or apart. */
const OUTLINES = {
  'zones apart': (at) => circle(5 + at / 10, 5 + at / 10, 0.04, 100),
  'thin circles around it': (at) => `${circle(0, 0, 10 + at / 10, 50)};${circle(0, 0, 9.95 + at / 10, 50)}`,
  'combs around it': (at) => `${teeth(10 + at / 10)},${-30 - at} 60`,
};

function circle(latitude, longitude, radius, corners) {
  const angles = Array.from({ length: corners }, (_, at) => (2 * Math.PI * at) / corners);
  return angles
    .map(
      (angle) =>
        `${(latitude + radius * Math.sin(angle)).toFixed(6)} ${(longitude + radius * Math.cos(angle)).toFixed(6)}`,
    )
    .join(',');
}

/** All edges but two go from the south to the north or back. */
function teeth(height) {
  return Array.from({ length: 99 }, (_, at) => `${at % 2 ? height : -height} ${at - 48.25}`).join(',');
}

let places = 0;

/** None is one of the latest. */
function nextPlace() {
  places = (places + 1) % PLACES;
  return [places / 1_000, places / 1_000];
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
