import type { Credential } from '../platform/caller';
import { NotFound } from '../platform/errors';
import { hold, type Scope } from '../platform/scopes';

export type Requirement = 'session' | Scope;

export interface Powers {
  kind: string;
  scopes?: readonly Scope[];
  /** The only sensors that it reaches; undefined for all. */
  sensors?: ReadonlySet<number>;
  lacksFactor?: true;
}

/** `documentPath` as in the OpenAPI document (`/sensors/{id}/data`). */
export interface Operation {
  requires: Requirement;
  method: string;
  documentPath: string;
  /** Restricts itself, because its path has no sensor id. */
  keepsToSensors?: boolean;
  setsUpFactor?: boolean;
}

export type Verdict =
  | 'allowed'
  | 'lacks-factor'
  | 'needs-session'
  | 'lacks-scope'
  | 'outside-of-its-sensors'
  | 'hidden-sensor';

const OF_A_SENSOR = /^\/sensors\/\{id\}(?=\/|$)/;
const BEYOND_A_SENSOR = /^(?:\w+ \/sensors\/\{id\}\/(?:users|invitations)(?:\/.*)?|delete \/sensors\/\{id\})$/;

/** The only place that decides the rights of a credential; those of its user come afterwards. */
export function judge(powers: Powers, operation: Operation, sensorId?: number): Verdict {
  const { kind, scopes = [], sensors, lacksFactor } = powers;
  if (kind === 'session') return lacksFactor && !operation.setsUpFactor ? 'lacks-factor' : 'allowed';
  if (operation.requires === 'session') return 'needs-session';
  if (!hold(scopes, operation.requires)) return 'lacks-scope';
  return sensors && !operation.keepsToSensors ? judgeSensor(sensors, operation, sensorId) : 'allowed';
}

export function reaches({ sensors }: Pick<Powers, 'sensors'>, sensorId: number): boolean {
  return sensors?.has(sensorId) ?? true;
}

/** Secrets that identify the platform need a credential that may change everything. */
function maySeeSecrets({ kind, scopes = [], sensors }: Powers): boolean {
  return kind === 'session' || (hold(scopes, 'write') && sensors === undefined);
}

function judgeSensor(
  sensors: ReadonlySet<number>,
  { method, documentPath }: Operation,
  sensorId: number | undefined,
): Verdict {
  if (!OF_A_SENSOR.test(documentPath)) return 'outside-of-its-sensors';
  if (sensorId === undefined || !sensors.has(sensorId)) return 'hidden-sensor';
  return BEYOND_A_SENSOR.test(`${method.toLowerCase()} ${documentPath}`) ? 'outside-of-its-sensors' : 'allowed';
}

/** Throws NotFound. */
export function requireReached(credential: Credential, sensorIds: readonly number[]): void {
  const hidden = sensorIds.find((id) => !reaches(credential, id));
  if (hidden !== undefined) throw new NotFound(`the sensor ${hidden}`);
}

/** Views of things with a secret take this. */
export function secretsFor(credential: Credential): { withSecret: boolean } {
  return { withSecret: maySeeSecrets(credential) };
}
