import type { Credential } from '../platform/caller';
import { NotFound } from '../platform/errors';
import { hold, type Scope } from '../platform/scopes';

/** The required kind or scope of a credential: a session, or one of the scopes. */
export type Requirement = 'session' | Scope;

/** The properties of a credential that decide its rights. A session has no scopes, because it needs none. */
export interface Powers {
  kind: string;
  scopes?: readonly Scope[];
  /** The only sensors that it reaches; undefined if unlimited. */
  sensors?: ReadonlySet<number>;
}

/** An operation with its path as in the OpenAPI document (`/sensors/{id}/data`), and its requirement. */
export interface Operation {
  requires: Requirement;
  method: string;
  path: string;
}

/** Why a credential may not do something: it is not a session, lacks a scope, or is limited to other sensors. */
export type Verdict = 'allowed' | 'needs-session' | 'lacks-scope' | 'outside-of-its-sensors' | 'hidden-sensor';

/** Operations that restrict themselves to the sensors of the credential, because their path contains no sensor id. */
const KEEPING_TO_SENSORS: ReadonlySet<string> = new Set([
  'get /sensors',
  'post /sensors/find',
  'get /sensors/data',
  'get /sensors/data/stream',
  'post /sensors/data',
  'post /api/v2/write',
  'post /write',
  'get /query',
  'post /query',
  'post /api/v1/write',
]);
const OF_A_SENSOR = /^\/sensors\/\{id\}(?=\/|$)/;
/** Sharing reveals who else has access to the sensor, and deletion removes it: neither is for a device. */
const BEYOND_A_SENSOR = /^(?:\w+ \/sensors\/\{id\}\/users(?:\/.*)?|delete \/sensors\/\{id\})$/;

/**
 * The only place that decides the rights of a credential. `sensorId` is the sensor in the operation's path, if there is
 * one. The rights of its user are checked afterwards.
 */
export function judge({ kind, scopes = [], sensors }: Powers, operation: Operation, sensorId?: number): Verdict {
  if (kind === 'session') return 'allowed';
  if (operation.requires === 'session') return 'needs-session';
  if (!hold(scopes, operation.requires)) return 'lacks-scope';
  return sensors ? judgeSensor(sensors, `${operation.method.toLowerCase()} ${operation.path}`, sensorId) : 'allowed';
}

/** True if a credential reaches a sensor. The rights of its user are a separate question. */
export function reaches({ sensors }: Pick<Powers, 'sensors'>, sensorId: number): boolean {
  return sensors?.has(sensorId) ?? true;
}

/**
 * True if a credential may see secrets that identify the platform to others: it must be able to change everything
 * anyway.
 */
function maySeeSecrets({ kind, scopes = [], sensors }: Powers): boolean {
  return kind === 'session' || (hold(scopes, 'write') && sensors === undefined);
}

function judgeSensor(sensors: ReadonlySet<number>, operation: string, sensorId: number | undefined): Verdict {
  if (KEEPING_TO_SENSORS.has(operation)) return 'allowed';
  if (!OF_A_SENSOR.test(operation.slice(operation.indexOf('/')))) return 'outside-of-its-sensors';
  if (sensorId === undefined || !sensors.has(sensorId)) return 'hidden-sensor';
  return BEYOND_A_SENSOR.test(operation) ? 'outside-of-its-sensors' : 'allowed';
}

/** Throws NotFound, with the id of the first sensor that the credential does not reach. */
export function requireReached(credential: Credential, sensorIds: readonly number[]): void {
  const hidden = sensorIds.find((id) => !reaches(credential, id));
  if (hidden !== undefined) throw new NotFound(`the sensor ${hidden}`);
}

/** Whether the credential may see secrets, for views of things that have one. */
export function secretsFor(credential: Credential): { withSecret: boolean } {
  return { withSecret: maySeeSecrets(credential) };
}
