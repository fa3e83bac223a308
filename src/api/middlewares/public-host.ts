import type { Express } from 'express';
import { parseUrl } from '../../rules/parse-url';
import { PUBLIC_HOST } from './foreign-page';

/**
 * If the setting defines the platform's host, requests cannot override it: `X-Forwarded-Host` comes from the client
 * unless a proxy sets it.
 */
export function installPublicHost(app: Express, publicUrl: string | undefined): void {
  const host = publicUrl === undefined ? undefined : parseUrl(publicUrl)?.host;
  if (host === undefined) return;
  app.set(PUBLIC_HOST, host);
  app.use((request, _response, next) => {
    delete request.headers['x-forwarded-host'];
    next();
  });
}
