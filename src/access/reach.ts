import type { Credential } from '../platform/caller';
import { NotFound } from '../platform/errors';
import { maySeeSecrets, reaches } from './credential.policy';

/** Throws NotFound, with the id of the first sensor that the credential does not reach. */
export function requireReached(credential: Credential, sensorIds: readonly number[]): void {
  const hidden = sensorIds.find((id) => !reaches(credential, id));
  if (hidden !== undefined) throw new NotFound(`the sensor ${hidden}`);
}

/** Whether the credential may see secrets, for views of things that have one. */
export function secretsFor(credential: Credential): { withSecret: boolean } {
  return { withSecret: maySeeSecrets(credential) };
}
