import { readNumber } from '../sensor-value';

export interface Coordinate {
  latitude: number;
  longitude: number;
  altitude: number | null;
}

export type Parsed<T> = { ok: true; value: T } | { ok: false; reason: string };

export const MAX_OUTLINE_LENGTH = 8000;
const MIN_POINTS = 3;
const MAX_LOOPS = 50;

/**
 * `<latitude> <longitude> [<altitude>], ...`, and after a semicolon a further loop: a hole, or another part. A refusal
 * names the bad point by its number, from 1.
 */
export function parseOutline(text: string): Parsed<Coordinate[][]> {
  if (text.length > MAX_OUTLINE_LENGTH) return refused(`must be at most ${MAX_OUTLINE_LENGTH} characters`);
  const parts = text.split(';');
  if (parts.length > MAX_LOOPS) return refused(`must have at most ${MAX_LOOPS} loops`);
  const loops: Coordinate[][] = [];
  for (const [index, part] of parts.entries()) {
    const loop = parseLoop(part);
    if (!loop.ok) return parts.length > 1 ? refused(`loop ${index + 1} ${loop.reason}`) : loop;
    loops.push(loop.value);
  }
  return { ok: true, value: loops };
}

function parseLoop(text: string): Parsed<Coordinate[]> {
  const points: Coordinate[] = [];
  for (const [index, part] of text.split(',').entries()) {
    const point = parsePosition(part);
    if (!point.ok) return refused(`point ${index + 1} ${point.reason}`);
    points.push(point.value);
  }
  if (points.length < MIN_POINTS) return refused(`must have at least ${MIN_POINTS} points`);
  return { ok: true, value: points };
}

/** `<latitude> <longitude> [<altitude>]`. A reason is a sentence without its subject. */
export function parsePosition(text: string): Parsed<Coordinate> {
  const parts = text.trim().split(/\s+/);
  if (parts.length < 2 || parts.length > 3)
    return refused('must be a latitude, a longitude and optionally an altitude');
  const [latitude, longitude, altitude = null] = parts.map(readNumber);
  if (!isLatitude(latitude)) return refused('must have a latitude from -90 to 90');
  if (!isLongitude(longitude)) return refused('must have a longitude from -180 to 180');
  if (parts.length === 3 && altitude === null) return refused('must have a number as altitude');
  return { ok: true, value: { latitude, longitude, altitude } };
}

export function isLatitude(value: unknown): value is number {
  return typeof value === 'number' && value >= -90 && value <= 90;
}

export function isLongitude(value: unknown): value is number {
  return typeof value === 'number' && value >= -180 && value <= 180;
}

export function refused(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}
