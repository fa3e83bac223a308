// Real measurements of Seattle, from the package vega-datasets.
import { readFile } from 'node:fs/promises';

const FOLDER = new URL('../../node_modules/vega-datasets/data/', import.meta.url);

/** A year of hourly temperatures in °C (the long-term average of each hour), by month: `[[{date, value}]]`. */
export async function hourlyTemperatures() {
  const rows = await readCsv('seattle-weather-hourly-normals.csv');
  return byMonth(rows.map((row) => ({ date: Date.parse(`${row.date}Z`) / 1000, value: Number(row.temperature) })));
}

/** Four years of daily weather as JSON values `{max, min, wind}` (°C, °C, m/s), by month. */
export async function dailyWeather() {
  const rows = await readCsv('seattle-weather.csv');
  return byMonth(
    rows.map((row) => ({
      date: Date.parse(`${row.date}T00:00:00Z`) / 1000,
      value: { max: Number(row.temp_max), min: Number(row.temp_min), wind: Number(row.wind) },
    })),
  );
}

function byMonth(points) {
  const months = new Map();
  for (const point of points) {
    const month = new Date(point.date * 1000).toISOString().slice(0, 7);
    months.set(month, [...(months.get(month) ?? []), point]);
  }
  return [...months.values()];
}

async function readCsv(name) {
  const [head, ...lines] = (await readFile(new URL(name, FOLDER), 'utf8')).trim().split(/\r?\n/);
  const columns = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [columns[index], cell])));
}
