import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// The package exports only its code, not its files.
const FILE = join(__dirname, '../../node_modules/vega-datasets/data/weather.csv');

/** The measured weather of a day. */
export interface Day {
  readonly city: string;
  readonly atMs: number;
  readonly year: number;
  /** 1 to 12 */
  readonly month: number;
  readonly values: Readonly<Record<'rain' | 'warmest' | 'coldest' | 'wind', number>>;
}

/** Four years (2012 to 2015) of daily observations of the NOAA in Seattle or New York, in order; public domain, shipped by vega-datasets. */
export function weatherOf(city: string): Day[] {
  const lines = readFileSync(FILE, 'utf8').trim().split('\n');
  return lines
    .map((line) => line.split(','))
    .filter(([place]) => place === city)
    .map(([place = '', date = '', rain, warmest, coldest, wind]) => ({
      city: place,
      atMs: Date.parse(date),
      year: Number(date.slice(0, 4)),
      month: Number(date.slice(5, 7)),
      values: { rain: Number(rain), warmest: Number(warmest), coldest: Number(coldest), wind: Number(wind) },
    }))
    .sort((one, other) => one.atMs - other.atMs);
}
