import { Op, type Transaction } from 'sequelize';
import { networkOf } from '../../platform/network-of';
import { LoginNetwork } from '../../storage/models/login-network.model';
import { Session } from '../../storage/models/session.model';

const DAY_MS = 86_400_000;
/** A network that was not used for this long is new again. */
const KEPT_MS = 180 * DAY_MS;
const MOST_SESSIONS = 1_000;

interface Login {
  userId: number;
  network: string;
  nowMs: number;
}

/** Returns true for a login from elsewhere than before; false for the first. The row of the user must be locked. */
export async function noteNetwork(
  { userId, network: given, nowMs }: Login,
  transaction: Transaction,
): Promise<boolean> {
  const network = given.slice(0, 64);
  await LoginNetwork.destroy({ where: { userId, usedMs: { [Op.lt]: nowMs - KEPT_MS } }, transaction });
  const known = new Set((await LoginNetwork.findAll({ where: { userId }, transaction })).map((one) => one.network));
  const before = known.size > 0 ? known : await networksOfSessions(userId, transaction);
  if (known.has(network)) await LoginNetwork.update({ usedMs: nowMs }, { where: { userId, network }, transaction });
  const added = [...new Set([...before, network])].filter((one) => !known.has(one));
  await LoginNetwork.bulkCreate(
    added.map((one) => ({ userId, network: one, usedMs: nowMs })),
    { transaction },
  );
  return before.size > 0 && !before.has(network);
}

/** For accounts from before networks were kept. */
async function networksOfSessions(userId: number, transaction: Transaction): Promise<ReadonlySet<string>> {
  const options = { attributes: ['address'], limit: MOST_SESSIONS, transaction };
  const sessions = await Session.findAll({ where: { userId }, ...options });
  return new Set(sessions.map(({ address }) => networkOf(address)));
}
