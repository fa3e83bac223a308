import { Op, type Transaction } from 'sequelize';
import type { OtherAccess } from '../../notifications';
import { Identity } from '../../storage/models/identity.model';
import { PasswordReset } from '../../storage/models/password-reset.model';
import { Session } from '../../storage/models/session.model';
import type { ApplicationsService } from '../oauth/applications.service';
import type { AuthorizationsService } from '../oauth/authorizations.service';
import type { KeysService } from './keys.service';

export interface AccessEnd {
  exceptSessionId?: number;
  everything?: boolean;
}

export class AccountAccess {
  constructor(
    private readonly keys: Pick<KeysService, 'deleteAll' | 'count'>,
    private readonly authorizations: Pick<AuthorizationsService, 'endAll' | 'count'>,
    private readonly applications: Pick<ApplicationsService, 'endServices' | 'countServices'>,
  ) {}

  /** Ends credentials at once in all processes. The user's row must be locked. */
  async end(
    userId: number,
    transaction: Transaction,
    { exceptSessionId, everything }: AccessEnd,
  ): Promise<OtherAccess> {
    await endSessions(userId, transaction, exceptSessionId);
    if (everything) {
      await Identity.destroy({ where: { userId }, transaction });
      await this.keys.deleteAll(userId, transaction);
      await this.authorizations.endAll(userId, transaction);
      await this.applications.endServices(userId, transaction);
      return 'ended';
    }
    const others =
      (await this.keys.count(userId, transaction)) +
      (await this.authorizations.count(userId, transaction)) +
      (await this.applications.countServices(userId, transaction));
    return others > 0 ? 'stays' : 'none';
  }
}

/** Deletes pending password resets as well. */
export async function endSessions(userId: number, transaction: Transaction, exceptSessionId = 0): Promise<void> {
  await Session.destroy({ where: { userId, id: { [Op.ne]: exceptSessionId } }, transaction });
  await PasswordReset.destroy({ where: { userId }, transaction });
}
