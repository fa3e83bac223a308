import type { ErrorCode } from '../platform/error-code';
import { PlatformError } from '../platform/errors';
import { mayEdit, mayRead } from './sensor.policy';
import type { SensorAccess } from './sensor-access';

/** A sensor that a request names, and its path in the request. */
export interface NamedSensor {
  id: number;
  path: string;
}

/**
 * Refuses sensors that do not belong to the user, and names their paths in the request: 403 if the user may see the
 * sensor but not do this to it, 404 if they may not see it or it does not exist.
 */
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

/** 404 for a sensor that does not exist, or that the caller may not know of, with its path in the request. */
export function unknownSensor(path: string): PlatformError {
  return unknownThing(path, 'sensor');
}

/** The same for another kind of thing. */
export function unknownThing(path: string, kind: string): PlatformError {
  return refused(404, 'not_found', path, `names a ${kind} that does not exist`);
}

function refused(status: number, code: ErrorCode, path: string, why: string): PlatformError {
  return new PlatformError(status, code, `${path} ${why}`, { [path]: why });
}
