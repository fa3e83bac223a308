import { randomUUID } from 'node:crypto';
import { type Attributes, Op, type Transaction, UniqueConstraintError } from 'sequelize';
import type { ChannelType, Destination, MailConsents, OtherAccess } from '../../notifications';
import type { Caller, SessionCaller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { Conflict, NotFound } from '../../platform/errors';
import { withoutUndefined } from '../../platform/without-undefined';
import type { Database } from '../../storage';
import { PasswordReset } from '../../storage/models/password-reset.model';
import { User } from '../../storage/models/user.model';
import { inTransaction } from '../../storage/transaction';
import type { AccountAccess } from './account-access';
import type { AccountRemoval } from './account-removal';
import { requireLiveSession } from './live-session';
import { requireOwnAccount } from './own-account';
import type { Passwords } from './passwords';
import type { Reauthentication } from './reauthentication';
import { keysOf } from './username-looks';
import { nextReportMs } from './weekly-reports';

const DETAILS = [
  'email',
  'username',
  'name',
  'surname',
  'mobile',
  'address',
  'zipcode',
  'country',
  'timezone',
  'language',
] as const;

export type AccountFields = Pick<Attributes<User>, (typeof DETAILS)[number]> & { password: string };

export type Registration = Pick<AccountFields, 'email' | 'username' | 'password'> & Partial<AccountFields>;

type Details = Omit<Registration, 'password'>;

interface UpdateOptions {
  currentPassword?: string;
  endEverything?: boolean;
  weeklyReport?: Pick<User, 'weeklyReportDay' | 'weeklyReportHour'> | undefined;
}

export class UsersService {
  constructor(
    private readonly database: Database,
    private readonly login: { passwords: Passwords; reauthentication: Reauthentication; access: AccountAccess },
    private readonly consents: MailConsents,
    private readonly clock: Clock,
    private readonly removal: AccountRemoval,
  ) {}

  /** Throws Conflict if the username is taken. The welcome mail may fail. */
  async register(input: Registration, options: { welcomeMail: boolean }): Promise<User> {
    const { password, ...details } = knownFields(input);
    // Hashing is expensive, so not for a taken name. Of two concurrent requests the unique index refuses one.
    await this.requireFree(input.username);
    const passwordHash = await this.login.passwords.hash(password);
    return this.create(details, { passwordHash, ...options }, async (user) => user);
  }

  /**
   * Without a password: `link` gives the account another way to log in, in the same transaction. The address may be
   * empty. Throws Conflict if the username is taken.
   */
  async registerWithout<T>(details: Details, link: (user: User, transaction: Transaction) => Promise<T>): Promise<T> {
    await this.requireFree(details.username);
    return this.create(details, { passwordHash: '', welcomeMail: details.email !== '' }, link);
  }

  private async create<T>(
    details: Details,
    { passwordHash, welcomeMail }: { passwordHash: string; welcomeMail: boolean },
    link: (user: User, transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    const fields = { uuid: randomUUID(), ...keysOf(details.username), passwordHash };
    const { user, linked } = await withUniqueUsername(() =>
      inTransaction(this.database.sequelize, async (transaction) => {
        const created = await User.create({ ...details, ...fields, createdMs: this.clock.now() }, { transaction });
        if (created.email !== '') await this.consents.know(created.id, created.email, transaction);
        return { user: created, linked: await link(created, transaction) };
      }),
    );
    if (welcomeMail) await this.consents.welcome(user);
    return linked;
  }

  async current(caller: Caller): Promise<User> {
    const user = await User.findByPk(caller.userId);
    if (!user) throw new NotFound('the user');
    return user;
  }

  /** Throws Forbidden for any other id, whether or not it exists. */
  async find(caller: Caller, id: number): Promise<User> {
    requireOwnAccount(caller, id);
    return this.current(caller);
  }

  /**
   * A new password ends all other sessions, and all other credentials on request. A new email ends mailed password
   * resets, must be confirmed, and the former address is informed. Throws Forbidden if the required current password is
   * missing or wrong.
   */
  async update(
    caller: SessionCaller,
    id: number,
    changes: Partial<AccountFields>,
    { currentPassword, endEverything, weeklyReport }: UpdateOptions = {},
  ): Promise<{ user: User; otherAccess?: OtherAccess }> {
    requireOwnAccount(caller, id);
    const before = await this.current(caller);
    const { password, ...details } = knownFields(changes);
    const what = changedAccess(before, changes);
    if (what.length > 0)
      await this.login.reauthentication.requireRecent(caller, before, { current_password: currentPassword });
    if (details.username !== undefined && details.username !== before.username)
      await this.requireFree(details.username, id);
    const passwordHash = password === undefined ? undefined : await this.login.passwords.hash(password);
    const updated = await withUniqueUsername(() =>
      inTransaction(this.database.sequelize, async (transaction) => {
        const user = await User.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE });
        if (!user) throw new NotFound('the user');
        await requireLiveSession(caller, transaction);
        user.set({ ...details, ...weeklyReport });
        this.setNextReport(user);
        if (user.changed('email')) {
          await PasswordReset.destroy({ where: { userId: id }, transaction });
          await this.consents.know(id, user.email, transaction);
        }
        // A name from before appearances were compared does not change.
        if (user.changed('username')) user.set(keysOf(user.username));
        if (passwordHash === undefined) return { user: await user.save({ transaction }) };
        user.passwordHash = passwordHash;
        const end = { exceptSessionId: caller.credential.id, everything: endEverything };
        const otherAccess = await this.login.access.end(id, transaction, end);
        return { user: await user.save({ transaction }), otherAccess };
      }),
    );
    const { user, otherAccess } = updated;
    if (what.length > 0) await this.consents.reportChange(id, before.email, { what, otherAccess });
    if (user.email !== before.email) await this.consents.askOnce(id, mailTo(user.email));
    return updated;
  }

  /**
   * Sessions end at once, data is removed in small transactions. The purge removes history, and what the request has no
   * time for.
   */
  async delete(caller: Caller, id: number): Promise<void> {
    requireOwnAccount(caller, id);
    await this.removal.close(id);
    await this.removal.begin(id);
  }

  /** A report that is due now stays so. */
  private setNextReport(user: User): void {
    const columns = ['timezone', 'weeklyReportDay', 'weeklyReportHour'] as const;
    if (!columns.some((column) => user.changed(column))) return;
    const [dueMs, nowMs] = [user.weeklyReportDueMs ?? null, this.clock.now()];
    const nextMs = nextReportMs(user, nowMs);
    user.weeklyReportDueMs = nextMs !== null && dueMs !== null && dueMs <= nowMs ? dueMs : nextMs;
  }

  /** Throws Conflict for a username that looks like it as well. */
  private async requireFree(username: string, ownId = 0): Promise<void> {
    const keys = keysOf(username);
    const where = {
      id: { [Op.ne]: ownId },
      [Op.or]: [{ usernameKey: keys.usernameKey }, { usernameLooks: keys.usernameLooks }],
    };
    const takers = await User.findAll({ attributes: ['usernameKey'], where });
    if (takers.length === 0) return;
    throw usernameTaken(
      takers.some(({ usernameKey }) => usernameKey === keys.usernameKey) ? 'is' : 'looks like one that is',
    );
  }
}

function mailTo(destination: string): Destination {
  return { type: 'email' satisfies ChannelType, destination };
}

function changedAccess(before: User, { email, password }: Partial<AccountFields>): ('password' | 'email address')[] {
  return [
    ...(password === undefined ? [] : (['password'] as const)),
    ...(email === undefined || email === before.email ? [] : (['email address'] as const)),
  ];
}

/** Ignores other fields, such as an id. */
function knownFields<T extends Partial<AccountFields>>(input: T): T {
  const known = ['password', ...DETAILS].map((name) => [name, Reflect.get(input, name)]);
  return withoutUndefined(Object.fromEntries(known)) as T; // all fields of T except unset ones
}

async function withUniqueUsername<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UniqueConstraintError)) throw error;
    throw usernameTaken();
  }
}

function usernameTaken(how: 'is' | 'looks like one that is' = 'is'): Conflict {
  return new Conflict(`this username ${how} taken`, 'username_taken', { 'user.username': `${how} taken` });
}
