import type { RowDataPacket } from 'mysql2/promise';
import type { Reader } from '../../storage/read-pool';
import { LEAST_MS, PER_PART, UNKNOWN_MS, USUAL_DISTANCES } from './inactive-sensors';
import { newestDateSql } from './newest-rows';

const PARTS = [0, 1, 2, 3] as const;

/**
 * Returns the ms after which a sensor is without data, by id: stated, or learned from its newest points, as
 * `inactiveSql` decides.
 */
export async function readExpectedIntervals(reads: Reader, sensorIds: readonly number[]): Promise<Map<number, number>> {
  if (sensorIds.length === 0) return new Map();
  const dates = PARTS.map((part) => `${newestDateSql('s.id', part * PER_PART)} AS d${part}`);
  const [rows] = await reads.query<RowDataPacket[]>(
    `SELECT s.id, s.expected_interval AS stated, ${dates.join(', ')}, ${newestDateSql('s.id', 2)} AS third
     FROM sensors s WHERE s.id IN (?)`,
    [sensorIds],
  );
  return new Map(rows.map((row) => [Number(row.id), expectedMs(row)]));
}

function expectedMs({ stated, third, ...row }: RowDataPacket): number {
  if (stated !== null) return Number(stated) * 1000;
  const [newest, ...others] = PARTS.flatMap((part) => (row[`d${part}`] === null ? [] : [Number(row[`d${part}`])]));
  if (newest === undefined || third === null) return UNKNOWN_MS;
  return Math.max(LEAST_MS, USUAL_DISTANCES * usualMs([newest, ...others], Number(third)));
}

/** With all parts the median of their means; with fewer points the mean of the longest known part. */
function usualMs(dates: readonly number[], thirdMs: number): number {
  const newest = dates[0] ?? thirdMs;
  const known = dates.length - 1;
  if (known === 0) return (newest - thirdMs) / 2;
  if (known < PARTS.length - 1) return (newest - (dates[known] ?? newest)) / (known * PER_PART);
  const parts = dates.slice(1).map((date, index) => ((dates[index] ?? date) - date) / PER_PART);
  return parts.sort((a, b) => a - b)[1] ?? 0;
}
