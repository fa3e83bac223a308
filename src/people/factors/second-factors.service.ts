import type { SessionCaller } from '../../platform/caller';
import { Conflict } from '../../platform/errors';
import { RecoveryCode } from '../../storage/models/recovery-code.model';
import { TotpSecret } from '../../storage/models/totp-secret.model';
import { User } from '../../storage/models/user.model';
import type { Proof, Reauthentication } from '../accounts/reauthentication';
import type { FactorChanges } from './factor-changes';
import { removeSecondFactors, type SecondFactors } from './second-factors';
import { totpUri } from './totp';

export interface FactorList {
  hasPassword: boolean;
  totp: TotpSecret | null;
  recoveryCodes: number;
}

/** Authenticator apps and recovery codes. Each change needs a proof. */
export class SecondFactorsService {
  constructor(
    private readonly factors: SecondFactors,
    private readonly changes: FactorChanges,
    private readonly reauthentication: Reauthentication,
    private readonly publicUrl: string,
  ) {}

  async list(userId: number): Promise<FactorList> {
    const [user, totp] = await Promise.all([User.findByPk(userId), TotpSecret.findByPk(userId)]);
    const recoveryCodes = await RecoveryCode.count({ where: { userId } });
    const hasPassword = user !== null && user.passwordHash !== '';
    return { hasPassword, totp: totp?.confirmedMs == null ? null : totp, recoveryCodes };
  }

  /** Nothing changes until a code of the app is confirmed. Throws Forbidden without a proof, Conflict with an app. */
  async beginTotp(caller: SessionCaller, proof: Proof): Promise<{ secret: string; uri: string }> {
    await this.reauthentication.requireProof(caller, proof);
    const secret = await this.changes.make(caller, undefined, async (transaction) => {
      if ((await this.factors.kindsOf(caller.userId, transaction)).includes('totp')) throw new Conflict(HAS_APP);
      return this.factors.begin(caller.userId, transaction);
    });
    const issuer = new URL(this.publicUrl).hostname;
    return { secret, uri: totpUri(secret, { issuer, label: caller.username }) };
  }

  /** Returns recovery codes if the account has none. Throws Forbidden for a wrong code. */
  confirmTotp(caller: SessionCaller, otp: string): Promise<string[]> {
    return this.changes.make(caller, 'totp-added', async (transaction) => {
      await this.reauthentication.requireCode(caller, () => this.factors.confirm(caller.userId, otp, transaction));
      return this.changes.firstCodes(caller.userId, transaction);
    });
  }

  /** The recovery codes end with the last factor. Throws Forbidden without a proof, Conflict without an app. */
  async removeTotp(caller: SessionCaller, proof: Proof): Promise<void> {
    await this.reauthentication.requireProof(caller, proof);
    await this.changes.make(caller, 'totp-removed', async (transaction) => {
      const { userId } = caller;
      if ((await TotpSecret.destroy({ where: { userId }, transaction })) === 0)
        throw new Conflict('the account has no authenticator app');
      await this.changes.endUnusedCodes(userId, transaction);
    });
  }

  /** Throws Forbidden without a proof, Conflict without a second factor. */
  async renewCodes(caller: SessionCaller, proof: Proof): Promise<string[]> {
    await this.reauthentication.requireProof(caller, proof);
    return this.changes.make(caller, 'codes-renewed', async (transaction) => {
      const kinds = await this.factors.kindsOf(caller.userId, transaction);
      if (kinds.length === 0) throw new Conflict('recovery codes need a second factor: set one up first');
      return this.factors.renewCodes(caller.userId, transaction);
    });
  }

  /** For operators. Returns false if there was none. */
  async removeAll(userId: number): Promise<boolean> {
    const removed = await this.changes.locked(userId, (transaction) => removeSecondFactors(userId, transaction));
    if (removed) await this.changes.report(userId, 'removed-by-operator');
    return removed;
  }
}

const HAS_APP = 'the account has an authenticator app: remove it before you set up another one';
