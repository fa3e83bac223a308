import { type Attributes, Op, type Transaction, type WhereOptions } from 'sequelize';
import { currentAct, nameActor, type RefusedAttempts } from '../../audit';
import type { Page, PageOf } from '../../edge/paging';
import type { MailConsents } from '../../notifications';
import type { Identity, SessionCaller, Visitor } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import type { Config } from '../../platform/config';
import { AccountDisabled, NotFound, PlatformError, SecondFactorRequired, Unauthorized } from '../../platform/errors';
import { networkOf } from '../../platform/network-of';
import { hashSecret, isSessionId, newSessionId } from '../../platform/secrets';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { Identity as LinkedIdentity } from '../../storage/models/identity.model';
import { Session } from '../../storage/models/session.model';
import { User } from '../../storage/models/user.model';
import { forShare, forUpdate, inTransaction } from '../../storage/transaction';
import type { SecondFactors } from '../factors/second-factors';
import { usernameKey } from './account';
import type { GuardedPasswords, Guess } from './guarded-passwords';
import { noteNetwork } from './known-networks';
import { type FactorSettings, SessionLookup } from './session-lookup';

const DAY_MS = 24 * 3_600_000;
const WEEK_MS = 7 * DAY_MS;
const MOST_ADDRESSES = 1_000;
const MOST_OF_ADDRESS = 64;
const MOST_OF_AGENT = 255;

export type BrowserVisitor = Visitor & { userAgent: string };

/** Throws if the account may not be opened. */
type Check = (current: User, transaction: Transaction) => Promise<number | null>;

export interface LoginAttempt extends BrowserVisitor {
  otp?: string | undefined;
}

interface FactorAttempt {
  guess: Guess;
  otp: string | undefined;
  transaction: Transaction;
}

export class SessionsService {
  private readonly lookup: SessionLookup;
  private readonly idleDays: number;

  constructor(
    private readonly database: Database,
    private readonly passwords: GuardedPasswords,
    private readonly factors: SecondFactors,
    private readonly consents: Pick<MailConsents, 'reportSignIn'>,
    private readonly refusedAttempts: Pick<RefusedAttempts, 'note'>,
    private readonly clock: Clock,
    config: Pick<Config, 'sessionIdleDays'> & FactorSettings,
  ) {
    this.idleDays = config.sessionIdleDays;
    this.lookup = new SessionLookup(database.uploads, clock, config);
  }

  find(token: string): Promise<Identity | null> {
    return isSessionId(token) ? this.lookup.find(token) : Promise.resolve(null);
  }

  lookUp(token: string): Identity | undefined {
    return this.lookup.lookUp(token);
  }

  /**
   * Returns the session id. Throws Unauthorized for a wrong username or password, SecondFactorRequired without the
   * account's second factor, TooMany after too many refusals, AccountDisabled for the right password of a disabled
   * account. Wrong passwords from elsewhere do not count for an address with a session.
   */
  async login(username: string, password: string, { otp, ...visitor }: LoginAttempt): Promise<string> {
    const user = await User.findOne({ where: { usernameKey: usernameKey(username) } });
    // Looked up without such a user as well, so that both cases take the same time.
    const isKnown = await this.hasSessionFrom(visitor.network, user?.id ?? 0);
    const guessed = { kind: 'account', name: username, isKnown } as const;
    const guess = { guessed, address: visitor.network };
    return this.recordRefusal(user?.id, async () => {
      const matches = await this.passwords.matches(user?.passwordHash, { ...guess, digest: password });
      if (!user || !matches) throw refused();
      return this.open(user.id, visitor, async (current, transaction) => {
        if (current.passwordHash !== user.passwordHash) throw refused(); // changed since the check
        await this.requireFactor(user.id, { guess, otp, transaction });
        return null;
      });
    });
  }

  /** After the provider has vouched for the identity. Throws AccountDisabled, Unauthorized if it was unlinked meanwhile. */
  loginBy({ id, userId }: Pick<LinkedIdentity, 'id' | 'userId'>, visitor: BrowserVisitor): Promise<string> {
    return this.recordRefusal(userId, () =>
      this.open(userId, visitor, async (_current, transaction) => {
        if (!(await LinkedIdentity.findOne({ where: { id, userId }, ...forShare(transaction) }))) throw refused();
        return id;
      }),
    );
  }

  /** Returns true if the session was opened by an identity: the one at the provider goes on. */
  async logout({ credential, userId }: SessionCaller): Promise<{ isByIdentity: boolean }> {
    const where = { id: credential.id, userId };
    const session = await Session.findOne({ where, attributes: ['identityId'] });
    await this.remove(where);
    return { isByIdentity: (session?.identityId ?? null) !== null };
  }

  async endThoseOf(identityId: number, exceptSessionId: number, transaction: Transaction): Promise<void> {
    await Session.destroy({ where: { identityId, id: { [Op.ne]: exceptSessionId } }, transaction });
  }

  async list(userId: number, page: Page): Promise<PageOf<Session>> {
    return findPage(Session, { where: this.liveOf(userId), order: ['id'] }, page);
  }

  /** Ends the session from its next request on. Throws NotFound. */
  async end(userId: number, id: number): Promise<void> {
    if ((await this.remove({ id, userId })) === 0) throw new NotFound('the session');
  }

  async endOthers({ userId, credential }: SessionCaller): Promise<void> {
    await this.remove({ userId, id: { [Op.ne]: credential.id } });
  }

  /** Records in the history of the account, if there is one, that its login was refused, or asked for a second factor. */
  async recordRefusal<T>(userId: number | undefined, login: () => Promise<T>): Promise<T> {
    try {
      return await login();
    } catch (error) {
      const act = currentAct();
      if (userId !== undefined && act && error instanceof PlatformError && error.status < 500)
        this.refusedAttempts.note(userId, act, error.code === 'second_factor_required' ? null : error.status);
      throw error;
    }
  }

  private remove(where: WhereOptions<Attributes<Session>>): Promise<number> {
    return inTransaction(this.database.sequelize, (transaction) => Session.destroy({ where, transaction }));
  }

  /** Throws SecondFactorRequired without a code that an account with a factor accepts. */
  private async requireFactor(userId: number, { guess, otp, transaction }: FactorAttempt): Promise<void> {
    const kinds = await this.factors.kindsOf(userId, transaction);
    if (kinds.length === 0) return;
    if (otp === undefined) throw new SecondFactorRequired(kinds);
    const accepted = await this.passwords.accepts(guess, () => this.factors.use(userId, otp, transaction));
    if (!accepted) throw new SecondFactorRequired(kinds, 'wrong_code');
  }

  private async hasSessionFrom(network: string, userId: number): Promise<boolean> {
    const options = { attributes: ['address'], group: ['address'], limit: MOST_ADDRESSES };
    const sessions = await Session.findAll({ where: this.liveOf(userId), ...options });
    return sessions.some(({ address }) => networkOf(address) === network);
  }

  private liveOf(userId: number) {
    const aliveSince = this.idleDays > 0 ? this.clock.now() - this.idleDays * DAY_MS : 0;
    return { userId, usedMs: { [Op.gte]: aliveSince } };
  }

  /**
   * `check` decides with the account locked, and returns the identity that opens the session. A login from a new location
   * ends the user's sessions that are older than a week, and one from a new network is mailed.
   */
  async open(userId: number, { address, network, userAgent }: BrowserVisitor, check: Check): Promise<string> {
    const opened = await inTransaction(this.database.sequelize, async (transaction) => {
      const current = await User.findByPk(userId, forUpdate(transaction));
      if (!current || current.closedMs !== null) throw refused();
      if (current.disabledMs !== null) throw new AccountDisabled();
      const identityId = await check(current, transaction);
      const now = this.clock.now();
      const isNew = await noteNetwork({ userId, network, nowMs: now }, transaction);
      const from = { userId, address: address.slice(0, MOST_OF_ADDRESS) };
      if (!(await Session.findOne({ where: from, transaction }))) {
        await Session.destroy({ where: { userId, createdMs: { [Op.lt]: now - WEEK_MS } }, transaction });
      }
      const token = newSessionId();
      const by = { identityId, userAgent: userAgent.slice(0, MOST_OF_AGENT) };
      const row = { tokenHash: hashSecret(token), ...from, ...by, createdMs: now, usedMs: now };
      nameActor({ userId });
      await Session.create(row, { transaction });
      return { token, isNew, email: current.email };
    });
    if (opened.isNew) await this.consents.reportSignIn(userId, opened.email, address.slice(0, MOST_OF_ADDRESS));
    return opened.token;
  }
}

/** Old clients compare this text. */
function refused(): Unauthorized {
  return new Unauthorized('unauthorized', 'login_refused');
}
