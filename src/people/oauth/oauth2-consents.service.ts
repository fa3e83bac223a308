import type { Identity } from '../../platform/caller';
import type { Clock } from '../../platform/clock';
import { InvalidInput } from '../../platform/errors';
import type { Parameter } from '../../platform/oauth1/parameters';
import { hashSecret, randomText } from '../../platform/secrets';
import type { Database } from '../../storage';
import type { Application } from '../../storage/models/application.model';
import { OAuth2Grant } from '../../storage/models/oauth2-grant.model';
import { inTransaction } from '../../storage/transaction';
import { requireLiveSession } from '../accounts/live-session';
import { callbacksOf } from './applications.service';
import type { AuthorizationsService } from './authorizations.service';
import { withParameters } from './oauth1/callback';
import { type Asked, checkAsked, type OAuth2Parameters } from './oauth2/authorization-request';
import { isPublic, type OAuth2Clients } from './oauth2-clients';
import { keepGrants } from './oauth2-tokens';

const CODE_LENGTH = 43;
const CODE_MS = 60_000;

export interface OAuth2Request extends Asked {
  application: Application;
  redirectUri: string;
  givenRedirectUri: string | null;
  state: string | undefined;
}

export interface RefusedRequest {
  application: Application;
  redirectUri: string;
  /** A sentence for the developer. */
  description: string;
  /** The callback with error and state. */
  redirectTo: string;
}

export class OAuth2Consents {
  constructor(
    private readonly database: Database,
    private readonly clients: OAuth2Clients,
    private readonly authorizations: AuthorizationsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns why a request is refused. Throws InvalidInput if application or callback is uncertain: the user is not
   * redirected.
   */
  async read(parameters: OAuth2Parameters, issuer: string): Promise<OAuth2Request | RefusedRequest> {
    const application = await this.clients.find(parameters.client_id ?? '');
    if (!application) throw new InvalidInput('the application that sent you here is unknown (client_id)');
    const redirectUri = redirectUriOf(application, parameters.redirect_uri);
    const state = parameters.state ?? undefined;
    const asked = checkAsked(parameters, isPublic(application));
    if ('scopes' in asked) {
      return { ...asked, application, redirectUri, givenRedirectUri: parameters.redirect_uri ?? null, state };
    }
    const { error, description } = asked;
    const problem = [['error', error] as const, ['error_description', description] as const];
    return { application, redirectUri, description, redirectTo: back({ redirectUri, state }, issuer, problem) };
  }

  /** The URL for the user, with a code for one exchange in the next minute. */
  async allow(user: Pick<Identity, 'userId' | 'credential'>, request: OAuth2Request, issuer: string): Promise<string> {
    const { userId } = user;
    const { application, scopes, challenge, givenRedirectUri } = request;
    const code = `oac_${randomText(CODE_LENGTH)}`;
    await inTransaction(this.database.sequelize, async (transaction) => {
      const applicationId = application.id;
      const what = { userId, applicationId, scopes, expiresMs: null };
      const { id: authorizationId } = await this.authorizations.allow(what, transaction);
      await requireLiveSession(user, transaction);
      const nowMs = this.clock.now();
      const codeExpiresMs = nowMs + CODE_MS;
      const grant = { applicationId, userId, authorizationId, scopes: scopes.join(' '), createdMs: nowMs };
      const secret = { codeHash: hashSecret(code), codeChallenge: challenge, redirectUri: givenRedirectUri };
      await OAuth2Grant.create({ ...grant, ...secret, codeExpiresMs, expiresMs: codeExpiresMs }, { transaction });
      await keepGrants({ applicationId, authorizationId }, transaction);
    });
    return back(request, issuer, [['code', code]]);
  }

  deny(request: OAuth2Request, issuer: string): string {
    return back(request, issuer, [
      ['error', 'access_denied'],
      ['error_description', 'the user did not allow it'],
    ]);
  }
}

/** Adds the issuer (RFC 9207), so that an application knows which server answers. */
function back(
  { redirectUri, state }: Pick<OAuth2Request, 'redirectUri' | 'state'>,
  issuer: string,
  result: readonly Parameter[],
): string {
  const more: Parameter[] = state === undefined ? [] : [['state', state]];
  return withParameters(redirectUri, [...result, ...more, ['iss', issuer]]);
}

/** The given callback if registered exactly, or the only registered one. */
function redirectUriOf(application: Application, given: string | null | undefined): string {
  const registered = callbacksOf(application);
  const [only, another] = registered;
  if (given === undefined && only !== undefined && another === undefined) return only;
  if (given !== undefined && given !== null && registered.includes(given)) return given;
  throw new InvalidInput('the application wants to send you to an address that it has not registered (redirect_uri)');
}
