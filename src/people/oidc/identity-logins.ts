import type { Visitor } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { Conflict, Forbidden } from '../../platform/errors';
import type { OidcConfig } from '../../platform/oidc-settings';
import type { Language } from '../../platform/words/language';
import { Identity } from '../../storage/models/identity.model';
import type { SessionsService } from '../accounts/sessions.service';
import type { UsersService } from '../accounts/users.service';
import type { ProvidedMemberships } from '../groups/provided-memberships';
import { type Profile, providedGroups, usernamesFor } from './profile';

interface Parts {
  sessions: SessionsService;
  users: UsersService;
  memberships: ProvidedMemberships;
  clock: Clock;
}

/** Logs users in whom the provider vouches for. A mail address never decides who they are. */
export class IdentityLogins {
  constructor(
    private readonly settings: OidcConfig,
    private readonly parts: Parts,
  ) {}

  /**
   * Returns the session id. Throws Forbidden for an unknown identity if users are not created, AccountDisabled for a
   * disabled account.
   */
  async login(profile: Profile, visitor: Visitor & { userAgent: string; language: Language }): Promise<string> {
    const { sessions, memberships, clock } = this.parts;
    const identity = (await find(profile)) ?? (await this.createAccount(profile, visitor.language));
    const session = await sessions.loginBy(identity, visitor);
    await memberships.follow(identity.userId, providedGroups(profile, this.settings));
    await identity.update({ name: profile.name, usedMs: clock.now() });
    return session;
  }

  private async createAccount(profile: Profile, language: Language): Promise<Identity> {
    if (!this.settings.createsUsers) {
      throw new Forbidden(
        'no account is linked to this identity: log in with your password, and link it on the page of your account',
        'login_refused',
      );
    }
    let refusal: unknown;
    for (const username of usernamesFor(profile)) {
      const { email, given } = profile;
      try {
        return await this.parts.users.registerWithout({ username, email, language, ...given }, (user, transaction) => {
          const { issuer, subject, name } = profile;
          const row = { userId: user.id, issuer, subject, name, createdMs: this.parts.clock.now() };
          return Identity.create(row, { transaction });
        });
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
        refusal = error;
      }
      const known = await find(profile); // another login of the same identity was faster
      if (known) return known;
    }
    throw refusal;
  }
}

function find({ issuer, subject }: Profile): Promise<Identity | null> {
  return Identity.findOne({ where: { issuer, subject } });
}
