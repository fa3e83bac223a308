import type { Express, Request } from 'express';
import { GRANT_TYPES } from '../../people';
import { PlatformError } from '../../platform/errors';
import { SCOPES } from '../../platform/scopes';
import { refuseOtherMethods } from '../middlewares/method-not-allowed';

const PATH = '/.well-known/oauth-authorization-server';
const CLIENT_METHODS = ['client_secret_basic', 'client_secret_post'];

/** `/.well-known/oauth-authorization-server` (RFC 8414). */
export function installMetadata(app: Express, publicUrl: string | undefined): void {
  app.get(PATH, (request, response) => {
    const issuer = issuerOf(request, publicUrl);
    response.json({
      issuer,
      authorization_endpoint: `${issuer}/oauth2/authorize`,
      token_endpoint: `${issuer}/oauth2/token`,
      revocation_endpoint: `${issuer}/oauth2/revoke`,
      introspection_endpoint: `${issuer}/oauth2/introspect`,
      scopes_supported: SCOPES,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: GRANT_TYPES,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: [...CLIENT_METHODS, 'none'],
      revocation_endpoint_auth_methods_supported: [...CLIENT_METHODS, 'none'],
      introspection_endpoint_auth_methods_supported: CLIENT_METHODS,
      authorization_response_iss_parameter_supported: true,
    });
  });
  app.all(PATH, refuseOtherMethods('GET'));
}

/** `/.well-known/oauth-protected-resource/<path>` (RFC 9728): where programs get tokens for what is at this path. */
export function installResourceMetadata(app: Express, path: string, publicUrl: string | undefined): void {
  const at = resourcePath(path);
  app.get(at, (request, response) => {
    const issuer = issuerOf(request, publicUrl);
    response.json({
      resource: `${issuer}${path}`,
      authorization_servers: [issuer],
      scopes_supported: SCOPES,
      bearer_methods_supported: ['header'],
      resource_documentation: `${issuer}/docs${path}`,
    });
  });
  app.all(at, refuseOtherMethods('GET'));
}

/** A 401 that says where programs find how to get a token. */
export function withResource(refusal: PlatformError, request: Request, path: string, publicUrl: string | undefined) {
  const { status, code, message, challenge = 'Bearer' } = refusal;
  const metadata = `resource_metadata="${issuerOf(request, publicUrl)}${resourcePath(path)}"`;
  const comma = challenge.includes(' ') ? ',' : '';
  return new PlatformError(status, code, message, undefined, undefined, `${challenge}${comma} ${metadata}`);
}

function resourcePath(path: string): string {
  return `/.well-known/oauth-protected-resource${path}`;
}

/** The public URL, or the one that the request used. */
export function issuerOf(request: Request, publicUrl: string | undefined): string {
  return publicUrl ?? `${request.protocol}://${request.host ?? 'localhost'}`;
}
