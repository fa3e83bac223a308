import { Op } from 'sequelize';
import { parseId } from '../../edge/id';
import { InvalidInput, NotFound } from '../../platform/errors';
import { User } from '../../storage/models/user.model';
import { usernameKey } from './account';

/** Names a user by id, username or both. An empty or 0 id next to a username counts as absent. */
export interface UserReference {
  id?: string | number;
  username?: string;
}

export interface NamedUser {
  user: UserReference;
  path: string;
}

interface UserKeys {
  id?: number;
  key?: string;
}

/** Throws InvalidInput if it names no user, NotFound if the user does not exist. */
export async function findUser(user: UserReference, path = 'user'): Promise<User> {
  const [found] = await findUsers([{ user, path }]);
  if (!found) throw new NotFound('the user');
  return found;
}

/** Keeps the order, with one statement and the same errors as `findUser`. */
export async function findUsers(named: readonly NamedUser[]): Promise<User[]> {
  const wanted = named.map(readKeys);
  const ids = wanted.flatMap(({ id }) => id ?? []);
  const keys = wanted.flatMap(({ key }) => key ?? []);
  const users = await User.findAll({ where: { closedMs: null, [Op.or]: [{ id: ids }, { usernameKey: keys }] } });
  const byId = new Map(users.map((user) => [user.id, user]));
  const byKey = new Map(users.map((user) => [user.usernameKey, user]));
  return wanted.map(({ id, key }) => {
    const user = id === undefined ? byKey.get(key ?? '') : byId.get(id);
    if (!user || (key !== undefined && user.usernameKey !== key)) throw new NotFound('the user');
    return user;
  });
}

function readKeys({ user: { id, username }, path }: NamedUser): UserKeys {
  const idText = id === undefined || id === 0 || id === '0' ? '' : String(id);
  if (!idText && !username) throw InvalidInput.field(path, 'requires an id or a username');
  return {
    id: idText ? (parseId(idText) ?? 0) : undefined, // no user has the id 0
    key: username ? usernameKey(username) : undefined,
  };
}
