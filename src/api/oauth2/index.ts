import type { Express } from 'express';
import type { PageParts } from '../pages/page-user';
import { installAuthorizePage } from './authorize.page';
import { installMetadata } from './metadata';
import { installTokenEndpoints } from './token-endpoints';

/** OAuth 2 (RFC 6749) with PKCE: everything under `/oauth2`, and its description. */
export function installOAuth2(app: Express, parts: PageParts): void {
  installAuthorizePage(app, parts);
  installTokenEndpoints(app, parts);
  installMetadata(app, parts.config.publicUrl);
}
