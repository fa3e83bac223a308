import type { ReadField } from './line-protocol';
import type { Series } from './source';

/** Where a series stands in InfluxDB. */
export interface InfluxPlace {
  /** Database and retention policy, or bucket; empty if the source does not say. */
  database: string;
  measurement: string;
  tags: Readonly<Record<string, string>>;
}

const NO_FIELD = 'value';

/** A field of a measurement with tags is a series. */
export function influxSeries(place: InfluxPlace, field: string, dataType: ReadField['dataType']): Series {
  const { database, measurement, tags } = place;
  const written = Object.entries(tags).map(([name, value]) => `${name}=${value}`);
  return {
    key: JSON.stringify([database, measurement, Object.entries(tags), field]),
    name: [measurement, ...(field === NO_FIELD ? [] : [field]), ...written].join(' '),
    dataType,
    metatags: { ...tags, measurement, field, ...(database !== '' && { database }) },
  };
}

const DIGITS_BELOW_MS = { ns: 6, us: 3, ms: 0 } as const;
export type Precision = keyof typeof DIGITS_BELOW_MS | 's';

export function isPrecision(text: string): text is Precision {
  return text === 's' || Object.hasOwn(DIGITS_BELOW_MS, text);
}

/** Cut to milliseconds: nanoseconds have more digits than a double. Undefined for other texts than whole numbers. */
export function influxDateMs(time: string, precision: Precision): number | undefined {
  if (!/^-?\d+$/.test(time)) return undefined;
  if (precision === 's') return Number(time) * 1000;
  const below = DIGITS_BELOW_MS[precision];
  return below === 0 ? Number(time) : Number(BigInt(time) / 10n ** BigInt(below));
}
