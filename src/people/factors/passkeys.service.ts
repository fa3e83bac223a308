import { type Transaction, UniqueConstraintError } from 'sequelize';
import type { SessionCaller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { Conflict, Forbidden, NotFound, Unauthorized } from '../../platform/errors';
import { hashSecret } from '../../platform/secrets';
import { Passkey } from '../../storage/models/passkey.model';
import { User } from '../../storage/models/user.model';
import type { GuardedPasswords } from '../accounts/guarded-passwords';
import type { Proof, Reauthentication } from '../accounts/reauthentication';
import type { BrowserVisitor, SessionsService } from '../accounts/sessions.service';
import { requireWayIn } from '../accounts/ways-in';
import type { Ceremonies, Signable } from './ceremonies';
import type { Challenges } from './challenges';
import type { FactorChanges } from './factor-changes';

const MOST = 20;
const LOGIN = 'login';

export interface PasskeyAnswer {
  id?: unknown;
  [name: string]: unknown;
}

interface Parts {
  changes: FactorChanges;
  reauthentication: Reauthentication;
  guardedPasswords: Pick<GuardedPasswords, 'accepts'>;
  sessions: SessionsService;
  ceremonies: Ceremonies;
  challenges: Challenges;
  clock: Clock;
}

/** Passkeys sign in without the password: the authenticator is one factor, and how it knows its user another. */
export class PasskeysService {
  constructor(private readonly parts: Parts) {}

  list(userId: number): Promise<Passkey[]> {
    return Passkey.findAll({ where: { userId }, order: ['id'] });
  }

  /** The options for `navigator.credentials.create`. Throws Forbidden without a proof, Conflict for too many passkeys. */
  async begin(caller: SessionCaller, proof: Proof) {
    const { reauthentication, ceremonies, challenges } = this.parts;
    await reauthentication.requireProof(caller, proof);
    const [user, known] = await Promise.all([User.findByPk(caller.userId), this.list(caller.userId)]);
    if (!user) throw new NotFound('the user');
    requireRoom(known.length);
    return ceremonies.creationOptions(user, known, challenges.issue(purposeOf(caller)));
  }

  /** Returns recovery codes if the account has none. Throws Forbidden for an answer that was not asked for. */
  async add(
    caller: SessionCaller,
    name: string,
    answer: PasskeyAnswer,
  ): Promise<{ passkey: Passkey; codes: string[] }> {
    const { ceremonies, changes, clock } = this.parts;
    const made = await ceremonies.verifyCreation(answer, this.signable(purposeOf(caller)));
    if (!made) throw new Forbidden(REFUSED, 'passkey_refused');
    const { userId } = caller;
    const row = { ...made, userId, name, credentialHash: hashSecret(made.credentialId), createdMs: clock.now() };
    return changes.make(caller, 'passkey-added', async (transaction) => {
      requireRoom(await Passkey.count({ where: { userId }, transaction }));
      const passkey = await Passkey.create(row, { transaction }).catch((error: unknown) => {
        throw error instanceof UniqueConstraintError ? new Conflict('this passkey is known already') : error;
      });
      return { passkey, codes: await changes.firstCodes(userId, transaction) };
    });
  }

  /**
   * The recovery codes end with the last factor. Throws Forbidden without a proof, NotFound, Conflict for the only way to
   * log in.
   */
  async remove(caller: SessionCaller, id: number, proof: Proof): Promise<void> {
    const { reauthentication, changes } = this.parts;
    const { userId } = caller;
    if ((await Passkey.count({ where: { id, userId } })) === 0) throw new NotFound('the passkey');
    await reauthentication.requireProof(caller, proof);
    await changes.make(caller, 'passkey-removed', async (transaction) => {
      if ((await Passkey.destroy({ where: { id, userId }, transaction })) === 0) throw new NotFound('the passkey');
      const user = await User.findByPk(userId, { transaction });
      if (user) await requireWayIn(user, transaction);
      await changes.endUnusedCodes(userId, transaction);
    });
  }

  /** The options for `navigator.credentials.get`, for all accounts. */
  beginLogin() {
    return this.parts.ceremonies.requestOptions(this.parts.challenges.issue(LOGIN));
  }

  /** Returns the session id. Throws Unauthorized, TooMany after too many refusals, AccountDisabled. */
  async login(answer: PasskeyAnswer, visitor: BrowserVisitor): Promise<string> {
    const { sessions } = this.parts;
    const credentialHash = hashSecret(typeof answer.id === 'string' ? answer.id : '');
    const passkey = await Passkey.findOne({ where: { credentialHash } });
    return sessions.recordRefusal(passkey?.userId, async () => {
      const counter = await this.verify(answer, passkey, { credentialHash, address: visitor.network });
      if (!passkey || counter === null) throw refused();
      return sessions.open(passkey.userId, visitor, async (_current, transaction) => {
        await this.count(passkey, counter, transaction);
        return null;
      });
    });
  }

  /** Null if the answer is refused, which counts. */
  private async verify(
    answer: PasskeyAnswer,
    passkey: Passkey | null,
    { credentialHash: name, address }: { credentialHash: string; address: string },
  ): Promise<number | null> {
    const { ceremonies, guardedPasswords } = this.parts;
    let counter: number | null = null;
    await guardedPasswords.accepts({ guessed: { kind: 'passkey', name }, address }, async () => {
      counter = passkey && (await ceremonies.verifyRequest(answer, passkey, this.signable(LOGIN)));
      return counter !== null;
    });
    return counter;
  }

  private signable(purpose: string): Signable {
    const { challenges } = this.parts;
    return {
      isIssued: (challenge) => challenges.isIssued(purpose, challenge),
      use: (challenge) => challenges.use(challenge),
    };
  }

  /** Refuses the second of two requests with one signature, and a passkey that was removed meanwhile. */
  private async count({ id, counter: before }: Passkey, counter: number, transaction: Transaction): Promise<void> {
    const used = { counter, usedMs: this.parts.clock.now() };
    const [changed] = await Passkey.update(used, { where: { id, counter: before }, transaction });
    if (changed === 0) throw refused();
  }
}

const REFUSED = 'the passkey could not be checked: try again';

function refused(): Unauthorized {
  return new Unauthorized(REFUSED, 'login_refused');
}

function purposeOf({ credential }: SessionCaller): string {
  return `session-${credential.id}`;
}

function requireRoom(count: number): void {
  if (count >= MOST) throw new Conflict(`an account has at most ${MOST} passkeys: remove one first`);
}
