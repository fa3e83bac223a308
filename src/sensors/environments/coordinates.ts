import { readNumber } from '../../language/sensor-value';

export interface Coordinate {
  latitude: number;
  longitude: number;
  altitude: number | null;
}

export type Parsed<T> = { ok: true; value: T } | { ok: false; reason: string };

const MAX_OUTLINE_LENGTH = 8000;
const MIN_POINTS = 3;

/** `<latitude> <longitude> [<altitude>], ...`; a refusal names the bad point by its number, from 1. */
export function parseOutline(text: string): Parsed<Coordinate[]> {
  if (text.length > MAX_OUTLINE_LENGTH) return refused(`must be at most ${MAX_OUTLINE_LENGTH} characters`);
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
  if (typeof latitude !== 'number' || latitude < -90 || latitude > 90) {
    return refused('must have a latitude from -90 to 90');
  }
  if (typeof longitude !== 'number' || longitude < -180 || longitude > 180) {
    return refused('must have a longitude from -180 to 180');
  }
  if (parts.length === 3 && altitude === null) return refused('must have a number as altitude');
  return { ok: true, value: { latitude, longitude, altitude } };
}

function refused(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}
