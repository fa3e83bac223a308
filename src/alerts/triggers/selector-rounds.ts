import { Op } from 'sequelize';
import { SelectorOwner } from '../../storage/models/selector-owner.model';
import { Trigger } from '../../storage/models/trigger.model';

/** The `selector_error` of a selector that is tried again, although nothing has changed. */
export const TOO_SLOW = 'the search for the sensors takes longer than 2 seconds: use fewer statements';

/**
 * A comparison of all selectors of a user. All triggers up to `afterId` have been compared since `version` was set. Two
 * workers may continue the same round: each saves what is true.
 */
export interface Round {
  readonly ownerId: number;
  readonly version: string;
  readonly afterId: number;
}

/** The rounds of at most `limit` users with changes. Versions are random, so no user is always beyond the limit. */
export async function openRounds(limit: number): Promise<Round[]> {
  const where = { watched: true, version: { [Op.ne]: null } };
  const owners = await SelectorOwner.findAll({ where, order: ['version'], limit });
  return owners.map(({ ownerId, version, roundVersion, followedId }) =>
    roundVersion === null
      ? { ownerId, version: version ?? '', afterId: 0 }
      : { ownerId, version: roundVersion, afterId: followedId },
  );
}

/** The triggers that a round has not reached yet and that have or had a selector, by id. */
export async function idsAhead({ ownerId, afterId }: Round): Promise<number[]> {
  const hasOrHadSelector = { [Op.or]: [{ selector: { [Op.ne]: null } }, { selectedSensors: { [Op.ne]: null } }] };
  const where = { ownerId, id: { [Op.gt]: afterId }, ...hasOrHadSelector };
  return (await Trigger.findAll({ attributes: ['id'], where, order: ['id'] })).map(({ id }) => id);
}

/** Saves how far the round is. */
export async function saveRound({ ownerId, version, afterId }: Round): Promise<void> {
  await SelectorOwner.update({ roundVersion: version, followedId: afterId }, { where: { ownerId } });
}

/**
 * Ends a round that has reached every trigger. The user waits for another one if anything has changed since its
 * beginning, or if a search took too long.
 */
export async function endRound({ ownerId, version }: Round): Promise<void> {
  const next = { roundVersion: null, followedId: 0 };
  if ((await Trigger.count({ where: { ownerId, selectorError: TOO_SLOW } })) === 0) {
    const watched = (await Trigger.count({ where: { ownerId, selector: { [Op.ne]: null } } })) > 0;
    await SelectorOwner.update({ version: null, watched, ...next }, { where: { ownerId, version } });
  }
  await SelectorOwner.update(next, { where: { ownerId, roundVersion: version } });
}
