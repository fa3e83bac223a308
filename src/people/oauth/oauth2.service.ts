import type { Transaction } from 'sequelize';
import type { EventLog } from '../../events/event-log';
import type { Clock } from '../../platform/clock';
import { OAuth2Refused } from '../../platform/errors';
import { hashSecret } from '../../platform/secrets';
import type { Database } from '../../storage';
import { Application } from '../../storage/models/application.model';
import { OAuth2Grant } from '../../storage/models/oauth2-grant.model';
import { OAuth2Token } from '../../storage/models/oauth2-token.model';
import { User } from '../../storage/models/user.model';
import { forShare, forUpdate, inTransaction } from '../../storage/transaction';
import { readScopes } from './oauth2/authorization-request';
import { isVerifierOf } from './oauth2/pkce';
import { type IssuedTokens, issueTokens, keepGrants } from './oauth2-tokens';

export interface CodeExchange {
  code: string;
  redirectUri: string | undefined;
  verifier: string | undefined;
}

/** A refusal is thrown after the commit, so that its records are kept. */
type Outcome = IssuedTokens | { refusal: OAuth2Refused };

/**
 * Codes, client credentials and refresh tokens for tokens (RFC 6749 sections 4.1.3, 4.4 and 6). Throws OAuth2Refused.
 */
export class OAuth2Service {
  constructor(
    private readonly database: Database,
    private readonly events: EventLog,
    private readonly clock: Clock,
  ) {}

  /** Exchanges a code once. A second exchange ends the tokens of the first. */
  exchangeCode(application: Application, exchange: CodeExchange): Promise<IssuedTokens> {
    return this.decide(async (transaction) => {
      const where = { codeHash: hashSecret(exchange.code), applicationId: application.id };
      const grant = await OAuth2Grant.findOne({ where, ...forUpdate(transaction) });
      if (!grant) return refuse('the code is unknown, was used, or belongs to another application');
      const problem = this.problemOf(grant, exchange) ?? (await problemOfUser(grant.userId, transaction));
      if (problem !== undefined) {
        // The sender has obtained the code wrongly, or loses nothing by asking again.
        await grant.destroy({ transaction });
        return refuse(problem);
      }
      const nowMs = this.clock.now();
      await grant.update({ codeUsedMs: nowMs }, { transaction });
      return issueTokens(grant, { scopes: grant.scopes, withRefresh: true, nowMs }, transaction);
    });
  }

  /**
   * Grants the same scopes or fewer. If the token was exchanged before, two parties hold it: its grant ends with all
   * tokens, and the user gets an event.
   */
  refresh(application: Application, refreshToken: string, scope: string | undefined): Promise<IssuedTokens> {
    return this.decide(async (transaction) => {
      const where = { tokenHash: hashSecret(refreshToken), kind: 'refresh' as const };
      const found = await OAuth2Token.findOne({ where, transaction });
      const id = found?.grantId ?? 0;
      const grant = await OAuth2Grant.findOne({
        where: { id, applicationId: application.id },
        ...forUpdate(transaction),
      });
      // Read again: only the holder of the grant's lock changes its tokens.
      const token = grant && (await OAuth2Token.findOne({ where, ...forUpdate(transaction) }));
      if (!grant || !token) return refuse('the refresh token is unknown, has ended, or belongs to another application');
      if (token.usedMs !== null) return this.endReused(grant, transaction);
      const nowMs = this.clock.now();
      if (token.expiresMs <= nowMs) return refuse('the refresh token has expired');
      const problem = await problemOfUser(grant.userId, transaction);
      if (problem !== undefined) return refuse(problem);
      const scopes = narrowed(grant.scopes, scope);
      if (scopes instanceof OAuth2Refused) return { refusal: scopes };
      await token.update({ usedMs: nowMs }, { transaction });
      return issueTokens(grant, { scopes, withRefresh: true, nowMs }, transaction);
    });
  }

  /** Throws OAuth2Refused if the service's secret was replaced since the check. */
  async issueForOwner(application: Application, scope: string | undefined): Promise<IssuedTokens> {
    const asked = readScopes(scope);
    if (!Array.isArray(asked)) throw new OAuth2Refused(asked.error, asked.description);
    return this.decide(async (transaction) => {
      const { id: applicationId, ownerId: userId } = application;
      const scopes = asked.join(' ');
      // Locked like a password change that ends everything: such a change replaces the secret and ends the existing
      // tokens.
      await User.findByPk(userId, { attributes: ['id'], ...forShare(transaction) });
      const current = await Application.findByPk(applicationId, forShare(transaction));
      if (current?.encryptedSecret !== application.encryptedSecret) {
        return { refusal: new OAuth2Refused('invalid_client', 'the client secret was replaced') };
      }
      const nowMs = this.clock.now();
      const fields = { applicationId, userId, authorizationId: null, scopes, createdMs: nowMs, expiresMs: nowMs };
      const grant = await OAuth2Grant.create(fields, { transaction });
      await keepGrants({ applicationId, authorizationId: null }, transaction);
      return issueTokens(grant, { scopes, withRefresh: false, nowMs }, transaction);
    });
  }

  private async decide(work: (transaction: Transaction) => Promise<Outcome>): Promise<IssuedTokens> {
    const outcome = await inTransaction(this.database.sequelize, work);
    if ('refusal' in outcome) throw outcome.refusal;
    return outcome;
  }

  private async endReused(grant: OAuth2Grant, transaction: Transaction): Promise<Outcome> {
    const { applicationId: subjectId, userId } = grant;
    await this.events.raise(transaction, { name: 'token_reuse_detected', subjectId, userId });
    await grant.destroy({ transaction });
    return refuse('the refresh token was used before: all tokens of this consent have ended');
  }

  private problemOf(grant: OAuth2Grant, { redirectUri, verifier }: CodeExchange): string | undefined {
    if (grant.codeUsedMs !== null) return 'the code was used before: its tokens have ended';
    if ((grant.codeExpiresMs ?? 0) <= this.clock.now()) return 'the code has expired: it is good for a minute';
    if ((redirectUri ?? null) !== grant.redirectUri) return 'redirect_uri is not the one that the code was asked with';
    if (grant.codeChallenge === null) {
      return verifier === undefined ? undefined : 'the code was asked for without a code_challenge';
    }
    const isRight = verifier !== undefined && isVerifierOf(verifier, grant.codeChallenge);
    return isRight ? undefined : 'code_verifier does not belong to the code_challenge';
  }
}

/** The account may be closed while its rows still exist. */
async function problemOfUser(id: number, transaction: Transaction): Promise<string | undefined> {
  const user = await User.findOne({ where: { id, closedMs: null }, attributes: ['disabledMs'], transaction });
  if (!user) return 'the account no longer exists';
  return user.disabledMs === null ? undefined : 'the account is disabled';
}

function narrowed(granted: string, scope: string | undefined): string | OAuth2Refused {
  if (scope === undefined || scope.trim() === '') return granted;
  const asked = readScopes(scope);
  if (!Array.isArray(asked)) return new OAuth2Refused(asked.error, asked.description);
  const held = granted.split(' ');
  const isHeld = asked.every((one) => held.includes(one));
  return isHeld ? asked.join(' ') : new OAuth2Refused('invalid_scope', `the user has allowed: ${granted}`);
}

function refuse(description: string): { refusal: OAuth2Refused } {
  return { refusal: new OAuth2Refused('invalid_grant', description) };
}
