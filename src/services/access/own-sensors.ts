import type { ErrorCode } from '../../domain/error-code';
import { PlatformError } from '../../errors';
import { mayEdit, mayRead } from '../../policies/sensor.policy';
import type { SensorAccess } from './sensor-access';

/** A sensor that a request names, and where it does. */
export interface NamedSensor {
  id: number;
  path: string;
}

/** Lets only the user's own sensors pass; of another's he is told where he named it, and that he may not do this to it. */
export async function requireOwnSensors(
  access: SensorAccess,
  userId: number,
  named: readonly NamedSensor[],
  action: 'share' | 'upload to',
): Promise<void> {
  const relations = await access.accessOf(
    userId,
    named.map(({ id }) => id),
  );
  for (const { id, path } of named) {
    const relation = relations.get(id);
    if (!mayRead(relation)) throw refused(404, 'not_found', path, 'names a sensor that does not exist');
    if (!mayEdit(relation)) throw refused(403, 'forbidden', path, `names a sensor that only its owner may ${action}`);
  }
}

function refused(status: number, code: ErrorCode, path: string, why: string): PlatformError {
  return new PlatformError(status, code, `${path} ${why}`, { [path]: why });
}
