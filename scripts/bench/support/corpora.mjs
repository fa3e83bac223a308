// Points as devices send them, from published data and by rule: what the benchmark of storage stores.

import { readFileSync } from 'node:fs';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const FROM_MS = Date.UTC(2025, 0, 1);

/**
 * Each makes the points of a sensor: `[date in ms, value, delay in seconds]`, `count` of them. The points of sensors differ:
 * by rule in phase and noise, from published data in where they begin.
 */
export const CORPORA = {
  'one decimal a minute, regular dates': (count, sensor) => byRule(count, sensor, { value: temperature }),
  'the same, dates with up to 0.9 s of jitter': (count, sensor) =>
    byRule(count, sensor, { value: temperature, jitterMs: 900 }),
  'JSON of three numbers a minute': (count, sensor) => byRule(count, sensor, { value: room }),
  'Seattle, temperature by the hour': (count, sensor) =>
    repeated(
      count,
      sensor,
      HOUR_MS,
      seattle().map(({ temperature }) => temperature),
    ),
  'Seattle, JSON of three numbers by the hour': (count, sensor) =>
    repeated(
      count,
      sensor,
      HOUR_MS,
      seattle().map(
        ({ temperature: t, pressure, wind }) => `{"temperature":${t},"pressure":${pressure},"wind":${wind}}`,
      ),
    ),
  'a pedometer, 12 digits of noise in JSON': (count, sensor) => repeated(count, sensor, 20, steps()),
};

/** A room over a year: a curve of the day, drift, and noise of a tenth. */
function temperature(index, random) {
  return (20 + 4 * Math.sin(index / 229) + 2 * Math.sin(index / 83_000) + 0.2 * random()).toFixed(1);
}

function room(index, random) {
  const humidity = (45 + 10 * Math.cos(index / 229) + random()).toFixed(0);
  const co2 = (600 + 200 * Math.sin(index / 115) + 10 * random()).toFixed(0);
  return `{"temperature":${Number(temperature(index, random))},"humidity":${humidity},"co2":${co2}}`;
}

function byRule(count, sensor, { value, jitterMs = 0 }) {
  const random = randomOf(count + sensor);
  const ahead = sensor * 1_237;
  return Array.from({ length: count }, (_, index) => {
    const dateMs = FROM_MS + index * MINUTE_MS + Math.floor(random() * (jitterMs + 1));
    return [dateMs, value(index + ahead, random), random() < 0.5 ? 0 : 1];
  });
}

function repeated(count, sensor, everyMs, values) {
  const ahead = sensor * 397;
  return Array.from({ length: count }, (_, index) => {
    return [FROM_MS + index * everyMs, values[(index + ahead) % values.length], 1];
  });
}

function seattle() {
  const [, ...lines] = textOf('vega-datasets/data/seattle-weather-hourly-normals.csv');
  return lines.map((line) => {
    const [, pressure, temperature, wind] = line.split(',');
    return { pressure, temperature, wind };
  });
}

function steps() {
  return textOf('pedometer/test/DataWalking1.csv').map((line) => {
    const [x, y, z] = line.split(',');
    return `{"x":${x},"y":${y},"z":${z}}`;
  });
}

function textOf(path) {
  return readFileSync(new URL(`../../../node_modules/${path}`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
}

/** Numbers from 0 to 1, the same ones in each run (mulberry32). */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
