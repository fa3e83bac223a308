import type { Express } from 'express';
import type { PageParts } from '../pages/page-user';
import { installAuthorizePage } from './authorize.page';
import { installMetadata } from './metadata';
import { installTokenEndpoints } from './token-endpoints';

export function installOAuth2(app: Express, parts: PageParts): void {
  installAuthorizePage(app, parts);
  installTokenEndpoints(app, parts);
  installMetadata(app, parts.config.publicUrl);
}
