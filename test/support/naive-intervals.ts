import { isRecord } from '../../src/platform/is-record';
import type { Aggregate, SingleAggregate } from '../../src/points/data-points/aggregates';

interface Stored {
  ms: number;
  value: string;
}

const MINUTE_MS = 60_000;
const NUMBER = /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i;

/** They are looked for minute by minute, once. */
const starts = new Map<string, number>();

/** What a read by intervals has to answer, computed in the plainest way. The points are in order of date. */
export function intervalsOf(
  stored: readonly Stored[],
  { interval, timezone, aggregate }: { interval: number; timezone: string; aggregate: Aggregate },
) {
  const groups = new Map<string, Stored[]>();
  const nameAt = namer(interval, timezone);
  for (const point of stored) groups.set(nameAt(point.ms), [...(groups.get(nameAt(point.ms)) ?? []), point]);
  return [...groups].map(([name, points]) => {
    const key = `${timezone} ${interval} ${name}`;
    const startMs = starts.get(key) ?? firstMinute(points[0]?.ms ?? 0, interval, (ms) => nameAt(ms) === name);
    starts.set(key, startMs);
    const texts = points.map(({ value }) => value);
    const show = (single: SingleAggregate) => shown(texts, single);
    return aggregate === 'all'
      ? { date: startMs / 1000, value: show('mean'), min: show('min'), max: show('max'), count: show('count') }
      : { date: startMs / 1000, value: show(aggregate) };
  });
}

/** The first minute of those around a date that belong together. */
function firstMinute(ms: number, interval: number, belongs: (ms: number) => boolean): number {
  const long = interval > 86_400 ? 60 : 1;
  let minute = Math.floor(ms / MINUTE_MS);
  for (const step of [long * 30, long, 1]) while (belongs((minute - step) * MINUTE_MS)) minute -= step;
  return minute * MINUTE_MS;
}

function namer(interval: number, timezone: string): (ms: number) => string {
  if (interval < 86_400) return (ms) => String(Math.floor(ms / 1000 / interval));
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' });
  return (ms) => {
    const day = format.format(ms);
    if (interval === 86_400) return day;
    const noon = new Date(`${day}T12:00:00Z`);
    noon.setUTCDate(noon.getUTCDate() - ((noon.getUTCDay() + 6) % 7));
    return noon.toISOString();
  };
}

function shown(texts: readonly string[], aggregate: SingleAggregate): string {
  const numbers = texts.filter((text) => NUMBER.test(text));
  if (numbers.length > 0) {
    if (aggregate === 'first') return numbers[0] ?? '';
    if (aggregate === 'last') return numbers.at(-1) ?? '';
    return String(of(numbers.map(Number), aggregate));
  }
  const objects = texts.map(objectIn).filter(isRecord);
  if (objects.length > 0) return JSON.stringify(merged(objects, aggregate));
  if (aggregate === 'count') return '0';
  const [lower, higher] = aggregate === 'min' ? ['false', 'true'] : ['true', 'false'];
  if (aggregate === 'min' || aggregate === 'max') {
    const state = [lower, higher].find((text) => texts.includes(text));
    if (state) return state;
  }
  return (aggregate === 'first' ? texts[0] : texts.at(-1)) ?? '';
}

function merged(objects: readonly Record<string, unknown>[], aggregate: SingleAggregate): Record<string, unknown> {
  const like = (aggregate === 'first' ? objects[0] : objects.at(-1)) ?? {};
  const names = new Set([...Object.keys(like), ...objects.flatMap((object) => Object.keys(object))]);
  const result: Record<string, unknown> = {};
  for (const name of names) {
    const all = objects.map((object) => object[name]);
    const numbers = all.filter((one) => typeof one === 'number' || (typeof one === 'string' && NUMBER.test(one)));
    const inner = all.filter(isRecord);
    if (numbers.length > 0) result[name] = of(numbers.map(Number), aggregate);
    else if (inner.length > 0) result[name] = merged(inner, aggregate);
    else if (name in like) result[name] = aggregate === 'count' ? 0 : like[name];
  }
  return result;
}

function of(numbers: readonly number[], aggregate: SingleAggregate): number {
  const sum = numbers.reduce((before, number) => before + number, 0);
  const results: Record<SingleAggregate, number> = {
    mean: sum / numbers.length,
    min: Math.min(...numbers),
    max: Math.max(...numbers),
    sum,
    count: numbers.length,
    first: numbers[0] ?? 0,
    last: numbers.at(-1) ?? 0,
  };
  return results[aggregate];
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
