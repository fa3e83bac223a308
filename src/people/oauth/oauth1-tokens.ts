import { Op, type Transaction } from 'sequelize';
import type { SecretBox } from '../../platform/secret-box';
import { hashSecret, randomText } from '../../platform/secrets';
import { OAuth1Token } from '../../storage/models/oauth1-token.model';

const TOKEN_LENGTH = 32;
const SECRET_LENGTH = 43;
/** Maximum number of access tokens of one authorization; one more ends the oldest. */
const MAX_OF_AN_AUTHORIZATION = 50;

/** A token and its secret, for the response to the application. */
export interface IssuedToken {
  token: string;
  secret: string;
}

/** Makes tokens of OAuth 1.0a. It stores only the hash of a token, and its secret encrypted. */
export class OAuth1Tokens {
  constructor(private readonly secrets: SecretBox) {}

  /** Makes a request token, with which an application asks a user. */
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

  /** Makes an access token, in exchange for an allowed request token. */
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

  /** Decrypts the secret of a stored token. */
  secretOf({ encryptedSecret, tokenHash }: OAuth1Token): string {
    return this.secrets.open(encryptedSecret, tokenHash);
  }

  private make() {
    const issued = { token: randomText(TOKEN_LENGTH), secret: randomText(SECRET_LENGTH) };
    const tokenHash = hashSecret(issued.token);
    return { issued, stored: { tokenHash, encryptedSecret: this.secrets.seal(issued.secret, tokenHash) } };
  }
}
