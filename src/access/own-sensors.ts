import type { ErrorCode } from '../platform/error-code';
import { PlatformError } from '../platform/errors';
import { mayEdit, mayRead } from './sensor.policy';
import type { SensorAccess } from './sensor-access';

/** `path` is in the request. */
export interface NamedSensor {
  id: number;
  path: string;
}

/** Throws Forbidden if the user may only see a sensor, otherwise NotFound. */
export async function requireOwnSensors(
  access: SensorAccess,
  userId: number,
  named: readonly NamedSensor[],
  action: 'share' | 'upload to' | 'mute',
): Promise<void> {
  const relations = await access.accessOf(
    userId,
    named.map(({ id }) => id),
  );
  for (const { id, path } of named) {
    const relation = relations.get(id);
    if (!mayRead(relation)) throw unknownSensor(path);
    if (!mayEdit(relation)) throw refused(403, 'forbidden', path, `names a sensor that only its owner may ${action}`);
  }
}

export function unknownSensor(path: string): PlatformError {
  return unknownThing(path, 'sensor');
}

/** Also for what the caller may not know of. */
export function unknownThing(path: string, kind: string): PlatformError {
  return refused(404, 'not_found', path, `names a ${kind} that does not exist`);
}

function refused(status: number, code: ErrorCode, path: string, why: string): PlatformError {
  return new PlatformError(status, code, `${path} ${why}`, { [path]: why });
}
