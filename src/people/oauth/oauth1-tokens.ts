import { Op, type Transaction } from 'sequelize';
import type { SecretBox } from '../../platform/secret-box';
import { hashSecret, randomText } from '../../platform/secrets';
import { OAuth1Token } from '../../storage/models/oauth1-token.model';

const TOKEN_LENGTH = 32;
const SECRET_LENGTH = 43;
const MAX_OF_AN_AUTHORIZATION = 50;

export interface IssuedToken {
  token: string;
  secret: string;
}

/** Stores only the hash of a token, and its secret encrypted. */
export class OAuth1Tokens {
  constructor(private readonly secrets: SecretBox) {}

  async issueRequestToken(fields: {
    applicationId: number;
    callback: string;
    createdMs: number;
    expiresMs: number;
  }): Promise<IssuedToken> {
    const { issued, stored } = this.make();
    await OAuth1Token.create({ ...fields, ...stored, kind: 'request' });
    return issued;
  }

  async issueAccessToken(
    fields: { applicationId: number; authorizationId: number; createdMs: number; expiresMs: number | null },
    transaction: Transaction,
  ): Promise<IssuedToken> {
    const { issued, stored } = this.make();
    await OAuth1Token.create({ ...fields, ...stored, kind: 'access' }, { transaction });
    const { authorizationId } = fields;
    const [oldest] = await OAuth1Token.findAll({
      attributes: ['id'],
      where: { authorizationId, kind: 'access' },
      order: [['id', 'DESC']],
      offset: MAX_OF_AN_AUTHORIZATION,
      limit: 1,
      transaction,
    });
    if (oldest) {
      const where = { authorizationId, kind: 'access' as const, id: { [Op.lte]: oldest.id } };
      await OAuth1Token.destroy({ where, transaction });
    }
    return issued;
  }

  secretOf({ encryptedSecret, tokenHash }: OAuth1Token): string {
    return this.secrets.open(encryptedSecret, tokenHash);
  }

  private make() {
    const issued = { token: randomText(TOKEN_LENGTH), secret: randomText(SECRET_LENGTH) };
    const tokenHash = hashSecret(issued.token);
    return { issued, stored: { tokenHash, encryptedSecret: this.secrets.seal(issued.secret, tokenHash) } };
  }
}
