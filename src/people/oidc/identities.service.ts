import { UniqueConstraintError } from 'sequelize';
import type { Page, PageOf } from '../../edge/paging';
import type { MailConsents } from '../../notifications';
import type { SessionCaller } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { Conflict, NotFound } from '../../platform/errors';
import type { SecretBox } from '../../platform/secret-box';
import type { Database } from '../../storage';
import { findPage } from '../../storage/find-page';
import { Identity } from '../../storage/models/identity.model';
import { User } from '../../storage/models/user.model';
import { forUpdate, inTransaction } from '../../storage/transaction';
import { requireLiveSession } from '../accounts/live-session';
import type { Proof, Reauthentication } from '../accounts/reauthentication';
import type { SessionsService } from '../accounts/sessions.service';
import { requireWayIn } from '../accounts/ways-in';
import type { Profile } from './profile';

const TICKET = 'link to an identity';
const TICKET_MS = 60_000;

/** The session that asked for the link: no other may complete it. */
export interface LinkingSession {
  userId: number;
  sessionId: number;
}

export class IdentitiesService {
  constructor(
    private readonly database: Database,
    private readonly login: {
      reauthentication: Reauthentication;
      sessions: SessionsService;
      consents: Pick<MailConsents, 'reportChange'>;
    },
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
    private readonly isConfigured: boolean,
  ) {}

  list(userId: number, page: Page): Promise<PageOf<Identity>> {
    return findPage(Identity, { where: { userId }, order: ['id'] }, page);
  }

  /**
   * Returns a ticket for the page that begins the login at the provider. Throws Forbidden if a proof is required and
   * missing, or wrong, Conflict without a provider.
   */
  async ticket(caller: SessionCaller, proof: Proof): Promise<string> {
    if (!this.isConfigured) throw new Conflict('this platform has no identity provider');
    const user = await User.findByPk(caller.userId);
    await this.login.reauthentication.requireRecent(caller, user, proof);
    const session: LinkingSession = { userId: caller.userId, sessionId: caller.credential.id };
    return this.secretBox.sealUntil(session, TICKET, this.clock.now() + TICKET_MS);
  }

  /** Undefined for a ticket that is too old, or no ticket. */
  readTicket(ticket: string): LinkingSession | undefined {
    return this.secretBox.openUntil(ticket, TICKET, this.clock.now());
  }

  /** Mails the account. Throws Unauthorized if the session has ended, Conflict if another account has the identity. */
  async link({ userId, sessionId }: LinkingSession, { issuer, subject, name }: Profile): Promise<void> {
    const credential = { kind: 'session', id: sessionId } as const;
    try {
      const user = await inTransaction(this.database.sequelize, async (transaction) => {
        const found = await User.findByPk(userId, forUpdate(transaction));
        await requireLiveSession({ userId, credential }, transaction);
        const known = await Identity.findOne({ where: { issuer, subject }, transaction });
        if (known && known.userId !== userId) throw linkedElsewhere();
        if (known) return undefined;
        await Identity.create({ userId, issuer, subject, name, createdMs: this.clock.now() }, { transaction });
        return found ?? undefined;
      });
      if (user) await this.report(user);
    } catch (error) {
      throw error instanceof UniqueConstraintError ? linkedElsewhere() : error;
    }
  }

  /**
   * Ends the sessions that it opened as well, except the caller's, and mails the account. Throws Conflict for the only
   * way to log in, NotFound for an identity of others.
   */
  async unlink(caller: SessionCaller, id: number): Promise<void> {
    const { userId } = caller;
    const user = await inTransaction(this.database.sequelize, async (transaction) => {
      const found = await User.findByPk(userId, forUpdate(transaction));
      await requireLiveSession(caller, transaction);
      const identity = await Identity.findOne({ where: { id, userId }, transaction });
      if (!found || !identity) throw new NotFound('the identity');
      await this.login.sessions.endThoseOf(identity.id, caller.credential.id, transaction);
      await identity.destroy({ transaction });
      await requireWayIn(found, transaction);
      return found;
    });
    await this.report(user);
  }

  private report({ id, email }: User): Promise<void> {
    return this.login.consents.reportChange(id, email, { what: ['list of linked identities'] });
  }
}

function linkedElsewhere(): Conflict {
  return new Conflict('this identity is linked to another account');
}
