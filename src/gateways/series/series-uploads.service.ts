import { reaches } from '../../access/credential.policy';
import { chargePoints, type PointQuota } from '../../fairness/point-quota';
import type { Caller, Credential } from '../../platform/caller';
import { Forbidden, InsufficientScope, PlatformError } from '../../platform/errors';
import { CREATE_LIMIT, hold } from '../../platform/scopes';
import { FieldsTooLarge } from '../../points';
import type { SeriesPoint } from '../protocols/series';
import type { SeriesMaker } from './series-maker';
import type { RefusedSeries, SeriesOutcome, SeriesWriter } from './series-writer';

const SHOWN = 3;

/** Stores what agents and devices report under outside names. */
export class SeriesUploads {
  constructor(
    private readonly writer: SeriesWriter,
    private readonly quota: PointQuota,
  ) {}

  /**
   * Throws InsufficientScope or Forbidden if some series may not be made or reached, after storing all others; TooMany;
   * 413 if the fields of one time are too large together.
   */
  async store(
    { userId, credential }: Pick<Caller, 'userId' | 'credential'>,
    points: readonly SeriesPoint[],
    receivedMs: number,
  ): Promise<SeriesOutcome> {
    await chargePoints(this.quota, userId, points.length);
    const maker = makerOf(credential);
    const owner = { userId, maker, reaches: (sensorId: number) => reaches(credential, sensorId) };
    const outcome = await this.writer.write(owner, points, receivedMs).catch(asRefusal);
    if (outcome.refused) throw refusalOf(outcome.refused, maker);
    return outcome;
  }
}

function asRefusal(error: unknown): never {
  throw error instanceof FieldsTooLarge ? new PlatformError(413, 'too_large', error.message) : error;
}

/** A session counts on the limit of its user, a token on its application's, a key on its own. */
function makerOf(credential: Credential): SeriesMaker | undefined {
  if (credential.kind === 'session') return { by: 'user', limit: CREATE_LIMIT };
  if (!hold(credential.scopes, 'sensors:create') || credential.sensors) return undefined;
  const { kind, id, applicationId, createLimit = CREATE_LIMIT } = credential;
  return { by: applicationId === undefined ? `${kind}:${id}` : `application:${applicationId}`, limit: createLimit };
}

function refusalOf({ why, names }: RefusedSeries, maker: SeriesMaker | undefined): PlatformError {
  const shown = names.slice(0, SHOWN).map((name) => (name.length > 100 ? `${name.slice(0, 99)}…` : name));
  const list = `${shown.join(', ')}${names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ''}`;
  switch (why) {
    case 'scope':
      return new InsufficientScope('sensors:create', `to make sensors for ${list}`);
    case 'limit':
      return new Forbidden(`no sensors were made for ${list}: the limit (create_limit) is ${maker?.limit ?? 0}`);
    case 'sensors':
      return new Forbidden(`the key does not reach the sensors of ${list}`);
  }
}
