import { type DateInput, readGivenPointDate, readPointDate, whyUnseparated } from '../../edge/dates';
import { parseId } from '../../edge/id';
import { MAX_VALUE_BYTES } from '../../language/sensor-value';
import { InvalidInput } from '../../platform/errors';
import { exactJson, LongNumber, nearestNumber } from '../../platform/exact-json';
import { isRecord } from '../../platform/is-record';
import type { Steps } from '../../platform/steps';
import { isWellFormed } from '../../platform/well-formed';
import { isDateName, type SensorUpload, type UploadedPoint } from './data-point';
import { whatIsRead, whatIsReadOfSeveral } from './empty-upload';
import { linesIn, type UploadedLine } from './uploaded-lines';

const MAX_POINTS = 10_000;

/** A JSON object as a value, with any fields. */
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
   * Unix seconds with up to 3 decimals, or ISO 8601 with an offset. If it is absent, `timestamp`, `time`, `ts`,
   * `datetime`, `date_time`, `created_at` or `createdAt` is read instead, in any letter case. Without any of these the
   * server dates the point: now, and at least a millisecond after the last date that it gave for this sensor, so that
   * no point replaces another.
   * @example 1795229544.125
   */
  date?: DateInput;
}

/** One data point of a device that can only send GET. */
export interface AddedPointQuery {
  /**
   * A number, a boolean or a text, at most 65,535 bytes.
   * @example "21.5"
   */
  value: string;
  /**
   * Unix seconds, or ISO 8601 with an offset; without one the server dates the point.
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
 * Reads an upload for one sensor, in any of its forms. Of points with the same date the last one is
 * stored; those with different values are each evaluated. Refuses the whole body at the first wrong field, naming it:
 * `data[3].value`. A step for each point.
 */
export function* readUpload(body: unknown, sensorId?: string): Steps<UploadedPoint[]> {
  const lines = linesIn(body);
  if (lines) return withoutRepeats(yield* readOneSensor(lines, sensorId));
  return withoutRepeats(yield* readPoints(Array.isArray(body) ? { data: body } : body, '', MAX_POINTS));
}

/** Reads an upload for several sensors: each sensor once, even if the body names it several times. */
export function* readSensorsUpload(body: unknown): Steps<SensorUpload[]> {
  const lines = linesIn(body);
  if (lines) return yield* readSensorLines(lines);
  const given = isRecord(body) ? body.sensors : undefined;
  const entries = Array.isArray(given) ? given : isRecord(given) ? [given] : [];
  if (entries.length === 0)
    throw InvalidInput.field('sensors', `must contain at least one data point: ${whatIsReadOfSeveral(body)}`);
  const bySensor = new Map<number, SensorUpload>();
  let left = MAX_POINTS;
  for (const [index, entry] of entries.entries()) {
    const path = `sensors[${index}]`;
    if (!isRecord(entry)) throw InvalidInput.field(path, 'must be an object with sensor_id and data');
    const sensorId = readSensorId(entry.sensor_id, `${path}.sensor_id`);
    const points = yield* readPoints(entry, `${path}.`, left);
    left -= points.length;
    const known = bySensor.get(sensorId);
    if (known) known.points = known.points.concat(points);
    else bySensor.set(sensorId, { sensorId, path: `${path}.sensor_id`, points });
  }
  return [...bySensor.values()].map((upload) => ({ ...upload, points: withoutRepeats(upload.points) }));
}

/**
 * The points of lines for the sensor in the path. Lines that all name the same other sensor are a copy of its points.
 */
function* readOneSensor(lines: readonly UploadedLine[], sensorId: string | undefined): Steps<UploadedPoint[]> {
  const [first] = requireSome(lines);
  const source = namedIn(first, sensorId);
  const points: UploadedPoint[] = [];
  for (const uploaded of lines) {
    const { line, point } = uploaded;
    if (namedIn(uploaded, sensorId) !== source) {
      throw InvalidInput.field(`line ${line} sensor_id`, 'names another sensor than the lines before it');
    }
    points.push(readPoint(point, `line ${line} `));
    yield;
  }
  return points;
}

function namedIn(uploaded: UploadedLine | undefined, sensorId: string | undefined): string {
  return String(uploaded?.point.sensor_id ?? sensorId);
}

function* readSensorLines(lines: readonly UploadedLine[]): Steps<SensorUpload[]> {
  const bySensor = new Map<number, SensorUpload>();
  for (const { line, point } of requireSome(lines)) {
    const path = `line ${line} sensor_id`;
    const sensorId = readSensorId(point.sensor_id, path);
    const upload = bySensor.get(sensorId) ?? { sensorId, path, points: [] };
    upload.points.push(readPoint(point, `line ${line} `));
    bySensor.set(sensorId, upload);
    yield;
  }
  return [...bySensor.values()].map((upload) => ({ ...upload, points: withoutRepeats(upload.points) }));
}

function requireSome<T>(points: readonly T[]): T[] {
  if (points.length === 0) throw InvalidInput.field('the body', 'must contain at least one data point');
  return [...points];
}

function* readPoints(body: unknown, prefix: string, most: number): Steps<UploadedPoint[]> {
  const path = `${prefix}data`;
  const points = isRecord(body) ? yield* givenPoints(body, prefix, most) : [];
  if (points.length === 0) throw InvalidInput.field(path, `must contain at least one data point: ${whatIsRead(body)}`);
  if (points.length > most) throw tooMany(path);
  return points;
}

function* givenPoints(body: Record<string, unknown>, prefix: string, most: number): Steps<UploadedPoint[]> {
  const { data } = body;
  if (data === undefined || data === null) return body.value === undefined ? [] : [readPoint(body, prefix)];
  if (!Array.isArray(data)) return [readPoint(data, `${prefix}data.`)];
  if (data.length > most) throw tooMany(`${prefix}data`);
  const points: UploadedPoint[] = [];
  for (const [index, point] of data.entries()) {
    points.push(readPoint(point, `${prefix}data[${index}].`));
    yield;
  }
  return points;
}

function tooMany(path: string): InvalidInput {
  return InvalidInput.field(path, `is too long: a request contains at most ${MAX_POINTS} data points`);
}

/** `at` is the path of the point with a dot at its end, so that only a field's name must be appended. */
export function readPoint(point: unknown, at: string): UploadedPoint {
  if (!isRecord(point)) throw InvalidInput.field(at.slice(0, -1), 'must be an object with value and date');
  return { value: readValue(point.value, at), dateMs: readPointsDate(point, at) };
}

function readValue(value: unknown, at: string): string {
  const text = toText(value, at);
  // No character takes more than three bytes for each of its UTF-16 units, so short texts need no counting.
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
  if (typeof value === 'boolean' || value instanceof LongNumber) return String(value);
  if (value === undefined || value === null) throw InvalidInput.field(`${at}value`, 'is required');
  if (typeof value !== 'object')
    throw InvalidInput.field(`${at}value`, 'must be a finite number, a string, a boolean or JSON');
  try {
    return exactJson(value);
  } catch {
    throw InvalidInput.field(`${at}value`, 'is nested too deeply');
  }
}

/**
 * The date, or the value under another name for it; undefined if there is none, and InvalidInput if there are several.
 */
function readPointsDate(point: Record<string, unknown>, at: string): number | undefined {
  if (isGiven(point.date)) return readUploadedDate(point.date, `${at}date`);
  const [name, ...others] = Object.keys(point).filter((one) => isDateName(one) && isGiven(point[one]));
  if (name === undefined) return undefined;
  const dateMs = readUploadedDate(point[name], `${at}${name}`);
  for (const other of others) {
    if (readUploadedDate(point[other], `${at}${other}`) === dateMs) continue;
    throw InvalidInput.field(`${at}${other}`, `is another date than ${name}: send one of them, as date`);
  }
  return dateMs;
}

function isGiven(date: unknown): boolean {
  return date !== undefined && date !== null && date !== '';
}

function readUploadedDate(given: unknown, field: string): number {
  const date = nearestNumber(given);
  if (typeof date === 'string') return readGivenPointDate(date, field);
  const mistake = typeof date === 'number' ? whyUnseparated(date) : undefined;
  if (mistake) throw InvalidInput.field(field, mistake);
  return readPointDate(date, field);
}

function readSensorId(given: unknown, path: string): number {
  if (given === undefined || given === null) throw InvalidInput.field(path, 'is required');
  const id = typeof given === 'number' || typeof given === 'string' ? parseId(String(given)) : null;
  if (id === null) throw InvalidInput.field(path, 'must be the id of a sensor');
  return id;
}

/** Leaves out points with the date and value of the one before them of this date. Points without a date all stay. */
function withoutRepeats(points: UploadedPoint[]): UploadedPoint[] {
  if (points.length === 1) return points;
  const values = new Map<number, string>();
  const changes = points.filter(({ dateMs, value }) => {
    if (dateMs === undefined) return true;
    const isRepeat = values.get(dateMs) === value;
    values.set(dateMs, value);
    return !isRepeat;
  });
  return changes.length === points.length ? points : changes;
}
