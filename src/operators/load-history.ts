import type { RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../platform/clock';
import type { Reader } from '../storage/read-pool';

const MINUTE_MS = 60_000;
/** Maximum and minimum length of the history, in minutes: whole hours since the first sample. */
const DAY = 1_440;
const HOUR = 60;
/** Added while the minute lasts: a sampled minute without them had none. */
const COUNTED: ReadonlySet<string> = new Set(['points', 'refused_429', 'refused_503', 'delivered', 'failed_attempts']);

export type SampleName =
  | 'points'
  | 'delivered'
  | 'failed_attempts'
  | 'latency_p50'
  | 'latency_p95'
  | 'latency_max'
  | 'waiting_points'
  | 'waiting_deliveries'
  | 'oldest_points'
  | 'oldest_deliveries'
  | 'refused_429'
  | 'refused_503';

/** The load of the last day. */
export interface LoadOfDay {
  /** Start of the first minute. */
  fromMs: number;
  /** 1 to 24. */
  hours: number;
  /** Values by minute; null where nothing was sampled or measured. */
  of(name: SampleName): readonly (number | null)[];
}

/** Past hours only, since the first sample, by one statement. */
export async function readLoadOfDay(reads: Reader, clock: Clock): Promise<LoadOfDay> {
  const nowMs = clock.now();
  const endMs = nowMs - (nowMs % MINUTE_MS);
  const [rows] = await reads.query<RowDataPacket[]>(
    'SELECT minute_ms AS minuteMs, name, value FROM minute_samples WHERE minute_ms >= ?',
    [endMs - DAY * MINUTE_MS],
  );
  const firstMs = rows.reduce((first, { minuteMs }) => Math.min(first, Number(minuteMs)), endMs - MINUTE_MS);
  const hours = Math.ceil((endMs - firstMs) / MINUTE_MS / HOUR);
  const fromMs = endMs - hours * HOUR * MINUTE_MS;
  const series = new Map<string, Map<number, number>>();
  for (const { minuteMs, name, value } of rows) {
    const known = series.get(name) ?? new Map<number, number>();
    series.set(name, known.set((Number(minuteMs) - fromMs) / MINUTE_MS, Number(value)));
  }
  const sampled = series.get('sampled');
  const sampleOf = (name: string, minute: number) =>
    series.get(name)?.get(minute) ?? (COUNTED.has(name) && sampled?.has(minute) ? 0 : null);
  return { fromMs, hours, of: (name) => Array.from({ length: hours * HOUR }, (_, minute) => sampleOf(name, minute)) };
}
