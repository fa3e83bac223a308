import type { Express } from 'express';
import { parseUrl } from '../../rules/parse-url';
import { PUBLIC_HOST } from './foreign-page';

/**
 * Where the setting says which host is the platform's, no request says so: `X-Forwarded-Host` is what a client sent if a proxy does not
 * set it.
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
