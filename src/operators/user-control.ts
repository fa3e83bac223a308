import { actAsOperator } from '../audit';
import type { DisabledAccounts, SecondFactorsService } from '../people';
import type { Clock } from '../platform/clock';
import type { OperatorActionName, OperatorActions } from './operator-actions';
import type { CredentialKind, UserCredentials } from './user-credentials';

export interface Subject {
  userId: number;
  username: string;
  operator: string;
}

const ENDINGS = { session: 'end-sessions', key: 'end-keys', authorization: 'end-authorizations' } as const;

/** Logs actions before they are done, so that none is missing. The user sees them in their history as well. */
export class UserControl {
  constructor(
    private readonly accounts: DisabledAccounts,
    private readonly credentials: UserCredentials,
    private readonly secondFactors: Pick<SecondFactorsService, 'removeAll'>,
    private readonly actions: OperatorActions,
    private readonly clock: Clock,
  ) {}

  /** Takes effect at once in all processes. Returns false if the account was disabled before. */
  async disable(subject: Subject): Promise<boolean> {
    return this.record('disable', subject, () => this.accounts.disable(subject.userId));
  }

  /** Returns false if it was enabled before. */
  async enable(subject: Subject): Promise<boolean> {
    return this.record('enable', subject, () => this.accounts.enable(subject.userId));
  }

  /** The password alone signs in again; the owner gets a mail. Returns false if there was none. */
  async removeSecondFactors(subject: Subject): Promise<boolean> {
    return this.record('remove-second-factors', subject, () => this.secondFactors.removeAll(subject.userId));
  }

  /** Without an id all of the kind, at once in all processes. Returns their number. Throws NotFound. */
  async end(kind: CredentialKind, subject: Subject, id?: number): Promise<number> {
    return this.record(ENDINGS[kind], subject, () => this.credentials.end(kind, subject.userId, id));
  }

  private async record<T>(
    action: OperatorActionName,
    { userId, username: subject, operator }: Subject,
    work: () => Promise<T>,
  ): Promise<T> {
    await this.actions.record({ operator, action, userId, subject });
    return actAsOperator(operator, action, this.clock.now(), work);
  }
}
