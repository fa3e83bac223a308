import { judge, type Operation, type Verdict } from '../../access/credential.policy';
import { parseId } from '../../edge/id';
import type { Credential } from '../../platform/caller';
import {
  Forbidden,
  InsufficientScope,
  NotFound,
  type PlatformError,
  SecondFactorMissing,
  SessionRequired,
} from '../../platform/errors';

const REFUSALS: Record<Exclude<Verdict, 'allowed'>, (operation: Operation) => PlatformError> = {
  'lacks-factor': () => new SecondFactorMissing(),
  'needs-session': () => new SessionRequired(),
  'lacks-scope': ({ requires }) => new InsufficientScope(requires),
  'outside-of-its-sensors': () => new Forbidden('this key is limited to sensors and does not reach this'),
  'hidden-sensor': () => new NotFound('the sensor'),
};

/** Throws for an operation that the credential may not do. `id` is the path variable, as given. */
export function authorise(credential: Credential, operation: Operation, id: unknown): void {
  const verdict = judgeRequest(credential, operation, id);
  if (verdict !== 'allowed') throw REFUSALS[verdict](operation);
}

/** Returns the verdict of `authorise` without a refusal. */
export function judgeRequest(credential: Credential, operation: Operation, id: unknown): Verdict {
  const sensorId = typeof id === 'string' ? parseId(id) : null;
  return judge(credential, operation, sensorId ?? undefined);
}
