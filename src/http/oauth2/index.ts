import type { Express } from 'express';
import type { Container } from '../../container';
import { installAuthorizePage } from './authorize.page';
import { installMetadata } from './metadata';
import { installTokenEndpoints } from './token-endpoints';

/** OAuth 2 (RFC 6749) with PKCE: everything under `/oauth2`, and its description. */
export function installOAuth2(app: Express, container: Container): void {
  installAuthorizePage(app, container);
  installTokenEndpoints(app, container);
  installMetadata(app, container.config.publicUrl);
}
