import type { DisabledAccounts, SecondFactorsService } from '../people';
import type { OperatorActions } from './operator-actions';
import type { CredentialKind, UserCredentials } from './user-credentials';

export interface Subject {
  userId: number;
  username: string;
  operator: string;
}

const ENDINGS = { session: 'end-sessions', key: 'end-keys', authorization: 'end-authorizations' } as const;

/** Logs actions before they are done, so that none is missing. */
export class UserControl {
  constructor(
    private readonly accounts: DisabledAccounts,
    private readonly credentials: UserCredentials,
    private readonly secondFactors: Pick<SecondFactorsService, 'removeAll'>,
    private readonly actions: OperatorActions,
  ) {}

  /** Takes effect at once in all processes. Returns false if the account was disabled before. */
  async disable({ userId, username: subject, operator }: Subject): Promise<boolean> {
    await this.actions.record({ operator, action: 'disable', userId, subject });
    return this.accounts.disable(userId);
  }

  /** Returns false if it was enabled before. */
  async enable({ userId, username: subject, operator }: Subject): Promise<boolean> {
    await this.actions.record({ operator, action: 'enable', userId, subject });
    return this.accounts.enable(userId);
  }

  /** The password alone signs in again; the owner gets a mail. Returns false if there was none. */
  async removeSecondFactors({ userId, username: subject, operator }: Subject): Promise<boolean> {
    await this.actions.record({ operator, action: 'remove-second-factors', userId, subject });
    return this.secondFactors.removeAll(userId);
  }

  /** Without an id all of the kind, at once in all processes. Returns their number. Throws NotFound. */
  async end(kind: CredentialKind, { userId, username: subject, operator }: Subject, id?: number): Promise<number> {
    await this.actions.record({ operator, action: ENDINGS[kind], userId, subject });
    return this.credentials.end(kind, userId, id);
  }
}
