import type { DataPoint, SensorUpload } from '../domain/data-point';
import { parseId } from '../domain/id';
import { isRecord } from '../domain/is-record';
import { MAX_VALUE_BYTES } from '../domain/sensor-value';
import { LINES, type UploadedLine } from '../domain/uploaded-lines';
import { isWellFormed } from '../domain/well-formed';
import { InvalidInput } from '../errors';
import { type DateInput, readGivenPointDate, readPointDate } from './dates';

const MAX_POINTS = 10_000;

/** A JSON object as a value: its fields are up to the caller. */
export interface JsonObject {
  [field: string]: unknown;
}

/** A number, a string, a boolean, or a JSON object or array; stored as a string of at most 65,535 bytes. */
export type PointValue = string | number | boolean | JsonObject | unknown[];

/** One data point to store. */
export interface PointUpload {
  /** @example 21.5 */
  value: PointValue;
  /**
   * Unix seconds with up to 3 decimals; now when it is not given.
   * @example 1795229544.125
   */
  date?: DateInput;
}

/** Several data points of a sensor, at most 10,000. */
export interface PointListUpload {
  data: PointUpload[];
}

/** A single data point of a sensor. */
export interface SinglePointUpload {
  data: PointUpload;
}

/** Data points of one sensor: a list, a single one, or a bare one. */
export type DataPointsUpload = PointListUpload | SinglePointUpload | PointUpload;

/** Data points of one of the sensors: a list, or a single one. */
export interface SensorPointListUpload {
  /** @example "42" */
  sensor_id: string;
  data: PointUpload[] | PointUpload;
}

/** A bare data point of one of the sensors. */
export interface SensorPointUpload extends PointUpload {
  /** @example "42" */
  sensor_id: string;
}

/** The points that belong to one of the sensors. */
export type SensorPointsUpload = SensorPointListUpload | SensorPointUpload;

/** Data points of several sensors. */
export interface SensorListUpload {
  sensors: SensorPointsUpload[];
}

/** Data points of one sensor, which is named in the body. */
export interface SingleSensorUpload {
  sensors: SensorPointsUpload;
}

/** Data points of several sensors, at most 10,000 altogether; all are stored or none. */
export type SensorsDataUpload = SensorListUpload | SingleSensorUpload;

/**
 * Reads an upload for one sensor, in any of its forms. Of points with the same date the last one counts. Refuses the
 * whole body at the first wrong field, naming it: `data[3].value`.
 */
export function readUpload(body: unknown, nowMs: number, sensorId?: string): DataPoint[] {
  const lines = linesOf(body);
  if (lines) return latestOfEachDate(requireSome(lines.map((line) => readLine(line, nowMs, sensorId))));
  return latestOfEachDate(readPoints(body, nowMs, '', MAX_POINTS));
}

/** Reads an upload for several sensors: each sensor once, wherever and however often the body names it. */
export function readSensorsUpload(body: unknown, nowMs: number): SensorUpload[] {
  const lines = linesOf(body);
  if (lines) return readSensorLines(lines, nowMs);
  const given = isRecord(body) ? body.sensors : undefined;
  const entries = Array.isArray(given) ? given : isRecord(given) ? [given] : [];
  if (entries.length === 0) throw InvalidInput.field('sensors', 'must contain at least one data point');
  const bySensor = new Map<number, SensorUpload>();
  let left = MAX_POINTS;
  for (const [index, entry] of entries.entries()) {
    const path = `sensors[${index}]`;
    if (!isRecord(entry)) throw InvalidInput.field(path, 'must be an object with sensor_id and data');
    const sensorId = readSensorId(entry.sensor_id, `${path}.sensor_id`);
    const points = readPoints(entry, nowMs, `${path}.`, left);
    left -= points.length;
    const known = bySensor.get(sensorId);
    if (known) known.points = known.points.concat(points);
    else bySensor.set(sensorId, { sensorId, path: `${path}.sensor_id`, points });
  }
  return [...bySensor.values()].map((upload) => ({ ...upload, points: latestOfEachDate(upload.points) }));
}

function linesOf(body: unknown): readonly UploadedLine[] | undefined {
  return isRecord(body) ? (body as { [LINES]?: readonly UploadedLine[] })[LINES] : undefined; // only our own reader sets it
}

/** A point of the sensor in the path. */
function readLine({ line, point }: UploadedLine, nowMs: number, sensorId: string | undefined): DataPoint {
  const { sensor_id: named = sensorId } = point;
  if (named !== null && String(named) !== sensorId) {
    throw InvalidInput.field(`line ${line} sensor_id`, 'names another sensor than the path');
  }
  return readPoint(point, nowMs, `line ${line} `);
}

function readSensorLines(lines: readonly UploadedLine[], nowMs: number): SensorUpload[] {
  const bySensor = new Map<number, SensorUpload>();
  for (const { line, point } of requireSome(lines)) {
    const path = `line ${line} sensor_id`;
    const sensorId = readSensorId(point.sensor_id, path);
    const upload = bySensor.get(sensorId) ?? { sensorId, path, points: [] };
    upload.points.push(readPoint(point, nowMs, `line ${line} `));
    bySensor.set(sensorId, upload);
  }
  return [...bySensor.values()].map((upload) => ({ ...upload, points: latestOfEachDate(upload.points) }));
}

function requireSome<T>(points: readonly T[]): T[] {
  if (points.length === 0) throw InvalidInput.field('the body', 'must contain at least one data point');
  return [...points];
}

function readPoints(body: unknown, nowMs: number, prefix: string, most: number): DataPoint[] {
  const path = `${prefix}data`;
  const points = isRecord(body) ? givenPoints(body, nowMs, prefix, most) : [];
  if (points.length === 0) throw InvalidInput.field(path, 'must contain at least one data point');
  if (points.length > most) throw tooMany(path);
  return points;
}

function givenPoints(body: Record<string, unknown>, nowMs: number, prefix: string, most: number): DataPoint[] {
  const { data } = body;
  if (data === undefined || data === null) return body.value === undefined ? [] : [readPoint(body, nowMs, prefix)];
  if (!Array.isArray(data)) return [readPoint(data, nowMs, `${prefix}data.`)];
  if (data.length > most) throw tooMany(`${prefix}data`);
  return data.map((point, index) => readPoint(point, nowMs, `${prefix}data[${index}].`));
}

function tooMany(path: string): InvalidInput {
  return InvalidInput.field(path, `is too long: a request contains at most ${MAX_POINTS} data points`);
}

/** `at` is the path of the point with a dot behind it, so that a field's name only has to be added. */
function readPoint(point: unknown, nowMs: number, at: string): DataPoint {
  if (!isRecord(point)) throw InvalidInput.field(at.slice(0, -1), 'must be an object with value and date');
  return { value: readValue(point.value, at), dateMs: readUploadedDate(point.date, nowMs, at) };
}

function readValue(value: unknown, at: string): string {
  const text = toText(value, at);
  // No character takes more than three bytes for each of its units, so short texts need no counting.
  if (text.length * 3 > MAX_VALUE_BYTES && Buffer.byteLength(text) > MAX_VALUE_BYTES) {
    throw InvalidInput.field(`${at}value`, `is longer than ${MAX_VALUE_BYTES} bytes`);
  }
  return text;
}

function toText(value: unknown, at: string): string {
  if (typeof value === 'string') {
    if (!isWellFormed(value)) throw InvalidInput.field(`${at}value`, 'must be well-formed Unicode');
    return value;
  }
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value === 'boolean') return String(value);
  if (value === undefined || value === null) throw InvalidInput.field(`${at}value`, 'is required');
  if (typeof value !== 'object')
    throw InvalidInput.field(`${at}value`, 'must be a finite number, a string, a boolean or JSON');
  try {
    return JSON.stringify(value);
  } catch {
    throw InvalidInput.field(`${at}value`, 'is nested too deeply');
  }
}

function readUploadedDate(date: unknown, nowMs: number, at: string): number {
  if (date === undefined || date === null || date === '') return nowMs;
  return typeof date === 'string' ? readGivenPointDate(date, `${at}date`) : readPointDate(date, `${at}date`);
}

function readSensorId(given: unknown, path: string): number {
  if (given === undefined || given === null) throw InvalidInput.field(path, 'is required');
  const id = typeof given === 'number' || typeof given === 'string' ? parseId(String(given)) : null;
  if (id === null) throw InvalidInput.field(path, 'must be the id of a sensor');
  return id;
}

function latestOfEachDate(points: DataPoint[]): DataPoint[] {
  if (points.length === 1) return points;
  const byDate = new Map<number, DataPoint>();
  for (const point of points) byDate.set(point.dateMs, point);
  return byDate.size === points.length ? points : [...byDate.values()];
}
