import { hold, type Scope } from '../rules/scopes';

/** What a credential must be or hold: a session, or one of the scopes. */
export type Requirement = 'session' | Scope;

/** A credential, as far as it decides what it may do. A session has no scopes, because it needs none. */
export interface Powers {
  kind: string;
  scopes?: readonly Scope[];
  /** The only sensors that it reaches; undefined where it is not limited. */
  sensors?: ReadonlySet<number>;
}

/** An operation as the document has it (`/sensors/{id}/data`), with what it requires. */
export interface Operation {
  requires: Requirement;
  method: string;
  path: string;
}

/** Why a credential may not do something: it is none of a session, lacks a scope, or is limited to other sensors. */
export type Verdict = 'allowed' | 'needs-session' | 'lacks-scope' | 'outside-of-its-sensors' | 'hidden-sensor';

/** Operations that keep to the sensors of the credential by themselves, because no id in their path does. */
const KEEPING_TO_SENSORS: ReadonlySet<string> = new Set([
  'get /sensors',
  'post /sensors/find',
  'get /sensors/data',
  'get /sensors/data/stream',
  'post /sensors/data',
]);
const OF_A_SENSOR = /^\/sensors\/\{id\}(?=\/|$)/;
/** Sharing says who else gets at the sensor, and deletion takes it away: neither is for a device. */
const BEYOND_A_SENSOR = /^(?:\w+ \/sensors\/\{id\}\/users(?:\/.*)?|delete \/sensors\/\{id\})$/;

/**
 * The one place that decides what a credential may do. `sensorId` is the sensor in the operation's path, where there is one. Whether
 * its user may do it is decided after this.
 */
export function judge({ kind, scopes = [], sensors }: Powers, operation: Operation, sensorId?: number): Verdict {
  if (kind === 'session') return 'allowed';
  if (operation.requires === 'session') return 'needs-session';
  if (!hold(scopes, operation.requires)) return 'lacks-scope';
  return sensors ? judgeSensor(sensors, `${operation.method.toLowerCase()} ${operation.path}`, sensorId) : 'allowed';
}

/** Whether a credential reaches a sensor; of what its user may do to it this says nothing. */
export function reaches({ sensors }: Pick<Powers, 'sensors'>, sensorId: number): boolean {
  return sensors?.has(sensorId) ?? true;
}

/** Whether a credential is shown secrets by which others know the platform: it must be able to change everything anyway. */
export function maySeeSecrets({ kind, scopes = [], sensors }: Powers): boolean {
  return kind === 'session' || (hold(scopes, 'write') && sensors === undefined);
}

function judgeSensor(sensors: ReadonlySet<number>, operation: string, sensorId: number | undefined): Verdict {
  if (KEEPING_TO_SENSORS.has(operation)) return 'allowed';
  if (!OF_A_SENSOR.test(operation.slice(operation.indexOf('/')))) return 'outside-of-its-sensors';
  if (sensorId === undefined || !sensors.has(sensorId)) return 'hidden-sensor';
  return BEYOND_A_SENSOR.test(operation) ? 'outside-of-its-sensors' : 'allowed';
}
