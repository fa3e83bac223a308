import { Op, type Transaction } from 'sequelize';
import { noteModelChange, SECRET } from '../../audit';
import type { Clock } from '../../platform/clock';
import type { SecondFactorKind } from '../../platform/second-factor-kind';
import type { SecretBox } from '../../platform/secret-box';
import { Passkey } from '../../storage/models/passkey.model';
import { RecoveryCode } from '../../storage/models/recovery-code.model';
import { TotpSecret } from '../../storage/models/totp-secret.model';
import { newRecoveryCodes, plainCode, recoveryHash } from './recovery-codes';
import { newTotpSecret, stepOfCode } from './totp';

const APP_CODE = /^\d{6}$/;

/** The rows of second factors. Changes need the row of the user locked. */
export class SecondFactors {
  constructor(
    private readonly secretBox: SecretBox,
    private readonly clock: Clock,
  ) {}

  async kindsOf(userId: number, transaction?: Transaction): Promise<SecondFactorKind[]> {
    const where = { userId, confirmedMs: { [Op.ne]: null } };
    const hasApp = (await TotpSecret.count({ where, transaction })) > 0;
    const hasPasskey = (await Passkey.count({ where: { userId }, transaction })) > 0;
    return [...(hasApp ? (['totp'] as const) : []), ...(hasPasskey ? (['passkey'] as const) : [])];
  }

  /** Uses up a code of the app, or a recovery code. Of several requests at once only one gets true. */
  async use(userId: number, code: string, transaction: Transaction): Promise<boolean> {
    const plain = plainCode(code);
    if (!APP_CODE.test(plain)) return useRecoveryCode(userId, recoveryHash(plain), transaction);
    const where = { userId, confirmedMs: { [Op.ne]: null } };
    const found = await TotpSecret.findOne({ where, transaction });
    return found !== null && this.useUp(found, plain, transaction);
  }

  /** Replaces a secret that was not confirmed. Returns it. */
  async begin(userId: number, transaction: Transaction): Promise<string> {
    const secret = newTotpSecret();
    await TotpSecret.destroy({ where: { userId, confirmedMs: null }, transaction });
    const row = { userId, secret: this.secretBox.seal(secret, boundTo(userId)), createdMs: this.clock.now() };
    await TotpSecret.create(row, { transaction });
    return secret;
  }

  /** Returns false for a wrong code, or without a secret that waits for it. */
  async confirm(userId: number, code: string, transaction: Transaction): Promise<boolean> {
    const found = await TotpSecret.findOne({ where: { userId, confirmedMs: null }, transaction });
    if (!found || !(await this.useUp(found, plainCode(code), transaction))) return false;
    await found.update({ confirmedMs: this.clock.now() }, { transaction });
    return true;
  }

  /** Ten new recovery codes, of which only the hashes are kept. Earlier ones end. */
  async renewCodes(userId: number, transaction: Transaction): Promise<string[]> {
    const codes = newRecoveryCodes();
    const before = await RecoveryCode.destroy({ where: { userId }, transaction });
    noteCodes(userId, [before === 0 ? null : SECRET, SECRET], transaction);
    const rows = codes.map((code) => ({ userId, codeHash: recoveryHash(code) }));
    await RecoveryCode.bulkCreate(rows, { transaction });
    return codes;
  }

  private async useUp({ userId, secret }: TotpSecret, code: string, transaction: Transaction): Promise<boolean> {
    const step = stepOfCode(this.secretBox.open(secret, boundTo(userId)), code, this.clock.now());
    if (step === null) return false;
    const where = { userId, secret, lastStep: { [Op.lt]: step } };
    const used = { lastStep: step, usedMs: this.clock.now() };
    return (await TotpSecret.update(used, { where, transaction }))[0] === 1;
  }
}

async function useRecoveryCode(userId: number, codeHash: string, transaction: Transaction): Promise<boolean> {
  if ((await RecoveryCode.destroy({ where: { userId, codeHash }, transaction })) !== 1) return false;
  const left = await RecoveryCode.count({ where: { userId }, transaction });
  noteCodes(userId, [left + 1, left], transaction);
  return true;
}

/** In the history of the account. */
function noteCodes(id: number, pair: readonly [unknown, unknown], transaction: Transaction): void {
  const fields = new Map([['recovery_codes', pair]]);
  noteModelChange(RecoveryCode, { transaction }, { kind: 'user', id, owner: id, fields });
}

/** Returns true if there were any. */
export async function removeSecondFactors(userId: number, transaction: Transaction): Promise<boolean> {
  await RecoveryCode.destroy({ where: { userId }, transaction });
  const passkeys = await Passkey.destroy({ where: { userId }, transaction });
  const apps = await TotpSecret.destroy({ where: { userId }, transaction });
  return passkeys + apps > 0;
}

function boundTo(userId: number): string {
  return `totp:${userId}`;
}
