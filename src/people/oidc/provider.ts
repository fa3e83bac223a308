import type { Clock } from '../../platform/clock';
import { Forbidden, InvalidInput, PlatformError, Unavailable } from '../../platform/errors';
import type { Logger } from '../../platform/logger';
import type { OidcConfig } from '../../platform/oidc-settings';
import { fetchAtMost } from './fetch-at-most';
import { type Profile, toProfile } from './profile';

/** What the browser must bring back from the provider, and the address that it comes back to. */
export interface LoginProof {
  state: string;
  nonce: string;
  verifier: string;
  redirectUri: string;
}

/** Loaded with the first login: the library consists of ECMAScript modules. */
const loadLibrary = () => import('openid-client');
type Library = Awaited<ReturnType<typeof loadLibrary>>;
type Metadata = ReturnType<InstanceType<Library['Configuration']>['serverMetadata']>;

const SCOPES = ['openid', 'profile', 'email'];
const DISCOVERED_MS = 3_600_000;
const TIMEOUT_SECONDS = 10;
const TOLERANCE_SECONDS = 60;
/** The provider could not be asked. */
const UNREACHED = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
]);

/** The operator's provider of OpenID Connect. */
export class OidcProvider {
  private discovered: { metadata: Promise<Metadata>; sinceMs: number } | undefined;

  constructor(
    readonly settings: OidcConfig,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Throws Unavailable while the provider does not answer. */
  async begin(redirectUri: string): Promise<{ location: string; proof: LoginProof }> {
    const library = await loadLibrary();
    const configuration = await this.configuration(library);
    const verifier = library.randomPKCECodeVerifier();
    const proof = { state: library.randomState(), nonce: library.randomNonce(), verifier, redirectUri };
    const location = library.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: this.scopesOf(configuration.serverMetadata()).join(' '),
      state: proof.state,
      nonce: proof.nonce,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return { location: location.href, proof };
  }

  /**
   * Exchanges the code in the query of the answer. Throws Forbidden if the provider refused, InvalidInput for an answer
   * that is not about this login or not by the provider, Unavailable if the provider does not answer.
   */
  async finish(query: string, { redirectUri, ...proof }: LoginProof): Promise<Profile> {
    const library = await loadLibrary();
    const configuration = await this.configuration(library);
    try {
      const tokens = await library.authorizationCodeGrant(configuration, new URL(`${redirectUri}?${query}`), {
        expectedState: proof.state,
        expectedNonce: proof.nonce,
        pkceCodeVerifier: proof.verifier,
        idTokenExpected: true,
      });
      const said = tokens.claims();
      if (!said) throw new InvalidInput(NOT_VALID);
      const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const more = hasMore ? await library.fetchUserInfo(configuration, tokens.access_token, said.sub) : {};
      const profile = toProfile({ ...more, ...said }, this.settings.groupsClaim);
      if (!profile) throw new InvalidInput(NOT_VALID);
      return profile;
    } catch (error) {
      throw this.refusalOf(error, library);
    }
  }

  /** Where the user ends the session at the provider; undefined if it cannot be ended or does not answer. */
  async logoutLocation(returnTo: string): Promise<string | undefined> {
    const library = await loadLibrary();
    const configuration = await this.configuration(library).catch(() => undefined);
    if (!configuration?.serverMetadata().end_session_endpoint) return undefined;
    return library.buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo }).href;
  }

  /** New each time, so that it reads the provider's present keys: after a rotation no login fails. */
  private async configuration(library: Library) {
    const { clientId, clientSecret } = this.settings;
    const client = {
      client_secret: clientSecret,
      [library.clockTolerance]: TOLERANCE_SECONDS,
      [library.clockSkew]: Math.round((this.clock.now() - Date.now()) / 1000),
    };
    const metadata = await this.metadata(library);
    const auth = authenticationOf(library, metadata, clientSecret);
    const configuration = new library.Configuration(metadata, clientId, client, auth);
    configuration.timeout = TIMEOUT_SECONDS;
    configuration[library.customFetch] = fetchAtMost;
    if (this.isLocal) library.allowInsecureRequests(configuration);
    library.enableNonRepudiationChecks(configuration);
    return configuration;
  }

  /** Read again after an hour; until then, and while the provider does not answer, the former one counts. */
  private async metadata(library: Library): Promise<Metadata> {
    const former = this.discovered;
    if (former && this.clock.now() - former.sinceMs < DISCOVERED_MS) return former.metadata;
    const metadata = this.discover(library);
    this.discovered = { metadata, sinceMs: this.clock.now() };
    try {
      return await metadata;
    } catch (error) {
      this.discovered = former;
      if (former) return former.metadata;
      throw error;
    }
  }

  private async discover(library: Library): Promise<Metadata> {
    const { issuer, clientId, clientSecret } = this.settings;
    const execute = this.isLocal ? [library.allowInsecureRequests] : [];
    const options = { timeout: TIMEOUT_SECONDS, execute, [library.customFetch]: fetchAtMost };
    try {
      const found = await library.discovery(new URL(issuer), clientId, clientSecret, undefined, options);
      return found.serverMetadata();
    } catch (error) {
      this.report(error);
      throw new Unavailable(NO_ANSWER);
    }
  }

  /** Some providers list groups only for a scope of the same name. */
  private scopesOf({ scopes_supported: known = [] }: Metadata): string[] {
    const { groupsClaim } = this.settings;
    return groupsClaim !== undefined && known.includes(groupsClaim) ? [...SCOPES, groupsClaim] : SCOPES;
  }

  private get isLocal(): boolean {
    return this.settings.issuer.startsWith('http:');
  }

  private refusalOf(error: unknown, library: Library): PlatformError {
    if (error instanceof PlatformError) return error;
    this.report(error);
    if (error instanceof library.AuthorizationResponseError) return new Forbidden(REFUSED);
    const isUnreached = error instanceof TypeError || UNREACHED.has(codeOf(error));
    return isUnreached ? new Unavailable(NO_ANSWER) : new InvalidInput(NOT_VALID);
  }

  /** The log says more than the user may see. */
  private report(error: unknown): void {
    this.logger.warn({ reason: reasonOf(error) }, 'a login by OpenID Connect failed');
  }
}

const NO_ANSWER = 'the identity provider does not answer at the moment; log in with your password, or try again later';
const NOT_VALID = 'the answer of the identity provider is not valid for this login: begin again';
const REFUSED = 'the identity provider refused the login';

/** As the standard has it, by the header, unless the provider knows only the body. */
function authenticationOf(
  library: Library,
  { token_endpoint_auth_methods_supported: known }: Metadata,
  secret: string,
) {
  const isBodyOnly = known !== undefined && !known.includes('client_secret_basic');
  return isBodyOnly ? library.ClientSecretPost(secret) : library.ClientSecretBasic(secret);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Neither tokens nor bodies. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const details = [
    codeOf(error),
    'error' in error ? String(error.error) : '',
    cause instanceof Error ? cause.message : '',
  ];
  return [error.message, ...details.filter(Boolean)].join('; ');
}
