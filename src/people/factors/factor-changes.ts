import type { Transaction } from 'sequelize';
import type { FactorChange, MailConsents } from '../../notifications';
import type { SessionCaller } from '../../platform/caller';
import type { Database } from '../../storage';
import { RecoveryCode } from '../../storage/models/recovery-code.model';
import { User } from '../../storage/models/user.model';
import { forUpdate, inTransaction } from '../../storage/transaction';
import { requireLiveSession } from '../accounts/live-session';
import type { SecondFactors } from './second-factors';

/** Changes of second factors under the lock of the user's row, each mailed to the owner. */
export class FactorChanges {
  constructor(
    private readonly database: Database,
    private readonly factors: SecondFactors,
    private readonly consents: Pick<MailConsents, 'reportChange'>,
  ) {}

  /** Without `how` no mail is sent. Throws Unauthorized if the session has ended meanwhile. */
  async make<T>(
    caller: SessionCaller,
    how: FactorChange | undefined,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    const result = await this.locked(caller.userId, async (transaction) => {
      await requireLiveSession(caller, transaction);
      return work(transaction);
    });
    if (how) await this.report(caller.userId, how);
    return result;
  }

  locked<T>(userId: number, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return inTransaction(this.database.sequelize, async (transaction) => {
      await User.findByPk(userId, forUpdate(transaction));
      return work(transaction);
    });
  }

  /** None if the account has codes. */
  async firstCodes(userId: number, transaction: Transaction): Promise<string[]> {
    const hasCodes = (await RecoveryCode.count({ where: { userId }, transaction })) > 0;
    return hasCodes ? [] : this.factors.renewCodes(userId, transaction);
  }

  /** Recovery codes end with the last factor. */
  async endUnusedCodes(userId: number, transaction: Transaction): Promise<void> {
    const left = await this.factors.kindsOf(userId, transaction);
    if (left.length === 0) await RecoveryCode.destroy({ where: { userId }, transaction });
  }

  async report(userId: number, how: FactorChange): Promise<void> {
    const user = await User.findByPk(userId);
    if (user) await this.consents.reportChange(userId, user.email, { what: ['second factor'], how });
  }
}
