import type { Clock } from '../../platform/clock';
import { TooMany } from '../../platform/errors';
import { hashSecret, isSameSecret } from '../../platform/secrets';
import type { Database } from '../../storage';
import type { Application } from '../../storage/models/application.model';
import { OAuth1Token } from '../../storage/models/oauth1-token.model';
import { forUpdate, inTransaction } from '../../storage/transaction';
import { isRegisteredCallback, OUT_OF_BAND } from './application';
import { callbacksOf } from './applications.service';
import type { ClientSecrets } from './client-secrets';
import type { ArrivedRequest } from './oauth1/signed-request';
import type { IssuedToken, OAuth1Tokens } from './oauth1-tokens';
import { type ReadRequest, refusal, type SignedRequests } from './signed-requests';

const REQUEST_TOKEN_LIFE_MS = 3_600_000;
const MAX_WAITING = 5_000;

/** The two requests that an application signs before it has access. */
export class OAuth1Service {
  constructor(
    private readonly database: Database,
    private readonly clients: ClientSecrets,
    private readonly requests: SignedRequests,
    private readonly tokens: OAuth1Tokens,
    private readonly clock: Clock,
  ) {}

  async issueRequestToken(arrived: ArrivedRequest, network: string): Promise<IssuedToken> {
    const request = this.requests.read(arrived, network);
    const application = await this.findApplication(request);
    await this.requests.check(request, { consumer: this.clients.secretOf(application), token: '' });
    const callback = readCallback(request, application);
    await this.requireRoom(application.id);
    const nowMs = this.clock.now();
    const times = { createdMs: nowMs, expiresMs: nowMs + REQUEST_TOKEN_LIFE_MS };
    return this.tokens.issueRequestToken({ applicationId: application.id, callback, ...times });
  }

  /** Exchanges an allowed request token, once. */
  async issueAccessToken(arrived: ArrivedRequest, network: string): Promise<IssuedToken> {
    const request = this.requests.read(arrived, network);
    const application = await this.findApplication(request);
    const { id } = await this.checkRequestToken(request, application);
    return inTransaction(this.database.sequelize, async (transaction) => {
      const found = await OAuth1Token.findOne({ where: { id }, ...forUpdate(transaction) });
      // Another request has exchanged, refused or revoked the token meanwhile.
      if (!found || found.authorizationId === null) throw unknownToken();
      await found.destroy({ transaction });
      const { authorizationId, allowedUntilMs: expiresMs } = found;
      const fields = { applicationId: application.id, authorizationId, createdMs: this.clock.now(), expiresMs };
      return this.tokens.issueAccessToken(fields, transaction);
    });
  }

  private async findApplication(request: ReadRequest): Promise<Application> {
    const { parameters, network } = request;
    await this.clients.admit(parameters.consumerKey, network);
    const application = await this.clients.find(parameters.consumerKey);
    if (application) return application;
    throw await this.requests.refuse(request, 'consumer_key_unknown', 'no application has this oauth_consumer_key');
  }

  private async checkRequestToken(request: ReadRequest, application: Application): Promise<OAuth1Token> {
    const { token, verifier } = request.parameters;
    const absent = [...(token ? [] : ['oauth_token']), ...(verifier ? [] : ['oauth_verifier'])];
    if (!token || !verifier) {
      throw refusal('parameter_absent', `send ${absent.join(', ')}`, [['oauth_parameters_absent', absent.join('&')]]);
    }
    const where = { tokenHash: hashSecret(token), kind: 'request' as const, applicationId: application.id };
    const found = await OAuth1Token.findOne({ where });
    if (!found) throw await this.requests.refuse(request, 'token_rejected', unknownToken().message);
    const secrets = { consumer: this.clients.secretOf(application), token: this.tokens.secretOf(found) };
    await this.requests.check(request, secrets);
    if ((found.expiresMs ?? 0) <= this.clock.now()) throw expiredToken();
    if (found.verifierHash === null) {
      throw refusal('permission_unknown', 'the user has not decided yet: send them to /oauth/authorize first');
    }
    if (!isSameSecret(hashSecret(verifier), found.verifierHash)) {
      throw await this.requests.refuse(request, 'verifier_invalid', 'oauth_verifier is wrong');
    }
    return found;
  }

  private async requireRoom(applicationId: number): Promise<void> {
    const where = { applicationId, kind: 'request' as const };
    const [beyond] = await OAuth1Token.findAll({ attributes: ['id'], where, offset: MAX_WAITING - 1, limit: 1 });
    if (beyond) throw new TooMany('too many request tokens of this application wait for their users', 60);
  }
}

function readCallback({ parameters: { callback } }: ReadRequest, application: Application): string {
  if (!callback) {
    throw refusal('parameter_absent', `send oauth_callback: a registered URL, or ${OUT_OF_BAND}`, [
      ['oauth_parameters_absent', 'oauth_callback'],
    ]);
  }
  if (callback === OUT_OF_BAND || isRegisteredCallback(callback, callbacksOf(application))) return callback;
  throw refusal('parameter_rejected', 'oauth_callback must be a callback that was registered, up to its query', [
    ['oauth_parameters_rejected', 'oauth_callback'],
  ]);
}

/** Unknown, used, refused or revoked. */
export function unknownToken() {
  return refusal('token_rejected', 'oauth_token is unknown, or was used or refused');
}

/** Expired before the user decided. */
export function expiredToken() {
  return refusal('token_expired', 'oauth_token has expired: begin again');
}
