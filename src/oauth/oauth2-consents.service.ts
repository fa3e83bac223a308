import type { Identity } from '../platform/caller';
import type { Clock } from '../platform/clock';
import { InvalidInput } from '../platform/errors';
import { requireLiveSession } from '../resources/accounts/live-session';
import { withParameters } from '../rules/oauth1/callback';
import type { Parameter } from '../rules/oauth1/parameters';
import { type Asked, checkAsked, type OAuth2Parameters } from '../rules/oauth2/authorization-request';
import { randomText } from '../rules/random-text';
import { hashSecret } from '../rules/session-id';
import type { Database } from '../storage';
import type { Application } from '../storage/models/application.model';
import { OAuth2Grant } from '../storage/models/oauth2-grant.model';
import { inTransaction } from '../storage/transaction';
import { callbacksOf } from './applications.service';
import type { AuthorizationsService } from './authorizations.service';
import { isPublic, type OAuth2Clients } from './oauth2-clients';
import { keepGrants } from './oauth2-tokens';

const CODE_LENGTH = 43;
const CODE_MS = 60_000;

/** An application that waits for the decision of a user. */
export interface OAuth2Request extends Asked {
  application: Application;
  /** One that is registered, letter by letter. */
  redirectUri: string;
  /** The same, as far as it was in the request. */
  givenRedirectUri: string | null;
  state: string | undefined;
}

/** A request that nobody can decide about. */
export interface RefusedRequest {
  application: Application;
  redirectUri: string;
  /** The sentence for the developer. */
  description: string;
  /** Where the application reads the error: its callback, with the error and the state. */
  redirectTo: string;
}

/** Requests of applications that bring users here, and what users decide about them (RFC 6749 section 4.1). */
export class OAuth2Consents {
  constructor(
    private readonly database: Database,
    private readonly clients: OAuth2Clients,
    private readonly authorizations: AuthorizationsService,
    private readonly clock: Clock,
  ) {}

  /**
   * What an application asks for, or why it cannot. InvalidInput where it is not certain which one asks, or where its users go back
   * to: then nobody is sent anywhere.
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

  /** Where the user goes with a code that is good for one exchange in the next minute. */
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

  /** Where the user goes who does not allow it. */
  deny(request: OAuth2Request, issuer: string): string {
    return back(request, issuer, [
      ['error', 'access_denied'],
      ['error_description', 'the user did not allow it'],
    ]);
  }
}

/** With the issuer (RFC 9207), by which an application with several servers sees which one answers. */
function back(
  { redirectUri, state }: Pick<OAuth2Request, 'redirectUri' | 'state'>,
  issuer: string,
  result: readonly Parameter[],
): string {
  const more: Parameter[] = state === undefined ? [] : [['state', state]];
  return withParameters(redirectUri, [...result, ...more, ['iss', issuer]]);
}

/** The callback that is meant: the given one if it is registered letter by letter, or the only one there is. */
function redirectUriOf(application: Application, given: string | null | undefined): string {
  const registered = callbacksOf(application);
  const [only, another] = registered;
  if (given === undefined && only !== undefined && another === undefined) return only;
  if (given !== undefined && given !== null && registered.includes(given)) return given;
  throw new InvalidInput('the application wants to send you to an address that it has not registered (redirect_uri)');
}
