import { Op } from 'sequelize';
import { SelectorOwner } from '../../storage/models/selector-owner.model';
import { Trigger } from '../../storage/models/trigger.model';

/** A selector with this error is tried again, although nothing has changed. */
export const TOO_SLOW = 'the search for the sensors takes longer than 2 seconds: use fewer statements';

/**
 * All triggers up to `afterId` have been compared since `version` was set. Workers may share a round: each saves what
 * is true.
 */
export interface Round {
  readonly ownerId: number;
  readonly version: string;
  readonly afterId: number;
}

/** Versions are random, so no user is always beyond the limit. */
export async function openRounds(limit: number): Promise<Round[]> {
  const where = { watched: true, version: { [Op.ne]: null } };
  const owners = await SelectorOwner.findAll({ where, order: ['version'], limit });
  return owners.map(({ ownerId, version, roundVersion, followedId }) =>
    roundVersion === null
      ? { ownerId, version: version ?? '', afterId: 0 }
      : { ownerId, version: roundVersion, afterId: followedId },
  );
}

export async function idsAhead({ ownerId, afterId }: Round): Promise<number[]> {
  const hasOrHadSelector = { [Op.or]: [{ selector: { [Op.ne]: null } }, { selectedSensors: { [Op.ne]: null } }] };
  const where = { ownerId, id: { [Op.gt]: afterId }, ...hasOrHadSelector };
  return (await Trigger.findAll({ attributes: ['id'], where, order: ['id'] })).map(({ id }) => id);
}

export async function saveRound({ ownerId, version, afterId }: Round): Promise<void> {
  await SelectorOwner.update({ roundVersion: version, followedId: afterId }, { where: { ownerId } });
}

/** The user waits for another round if anything has changed since, or a search took too long. */
export async function endRound({ ownerId, version }: Round): Promise<void> {
  const next = { roundVersion: null, followedId: 0 };
  if ((await Trigger.count({ where: { ownerId, selectorError: TOO_SLOW } })) === 0) {
    const watched = (await Trigger.count({ where: { ownerId, selector: { [Op.ne]: null } } })) > 0;
    await SelectorOwner.update({ version: null, watched, ...next }, { where: { ownerId, version } });
  }
  await SelectorOwner.update(next, { where: { ownerId, roundVersion: version } });
}
