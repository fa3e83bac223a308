import type { Express, Request } from 'express';
import type { Config } from '../platform/config';
import { PlatformError, Unavailable } from '../platform/errors';
import { html } from '../platform/html';
import { CONSOLE_FOLDERS, readConsolePage } from './console-files';
import { rootOf, wantsPage } from './pages/page';

/** The address of a public dashboard or an invitation is its key: neither search engines nor other sites get it. */
const FOR_LINK_HOLDERS = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' };

type ConsoleMap = Config['mapTiles'];

/** The console's scripts, styles and manifest, the API, and images of the map's host. Nothing inline. */
const policyWith = (map: ConsoleMap) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self'${map ? ` ${map.origin}` : ''}`,
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

type ConsoleSettings = Pick<Config, 'mapTiles' | 'oidc' | 'publicUrl'>;

/** Under `/console/`. Redirects browsers there from the root; programs get the location of the reference. */
export function installConsole(app: Express, { mapTiles, oidc, publicUrl }: ConsoleSettings): void {
  const meta = metaOf(mapTiles) + providerOf(oidc);
  const policy = policyWith(mapTiles);
  app.get('/', (request, response) => {
    response.vary('Accept');
    if (wantsPage(request)) return response.redirect(302, `${rootOf(request)}console/`);
    const root = publicUrl ?? `${request.protocol}://${request.host ?? 'localhost'}`;
    return response.json({ name: 'Sensor data platform', reference: `${root}/docs`, openapi: `${root}/openapi.json` });
  });
  app.get(
    CONSOLE_FOLDERS.map((folder) => `/console/${folder}/*file`),
    () => {
      throw new PlatformError(404, 'unknown_path', 'unknown path');
    },
  );
  app.get(['/console', '/console/*page'], (request, response) => {
    const page = readConsolePage();
    if (page === undefined) throw new Unavailable('the console was not built: npm run build');
    response
      .set('Content-Security-Policy', policy)
      .set(isKey(request) ? FOR_LINK_HOLDERS : { 'Referrer-Policy': 'same-origin' })
      .set('X-Frame-Options', 'DENY')
      .set('Cache-Control', 'no-cache')
      .type('html')
      .send(page.replaceAll('"./', `"${rootOf(request)}console/`).replace('</head>', () => `${meta}</head>`));
  });
}

function isKey({ path }: Request): boolean {
  return /^\/console\/(?:public|invitations)(?:\/|$)/i.test(path);
}

function metaOf(map: ConsoleMap): string {
  return map ? html`<meta name="map-tiles" content="${map.url}" data-attribution="${map.attribution}">`.text : '';
}

/** The host of the provider, for the button of the login. */
function providerOf(oidc: Config['oidc']): string {
  return oidc ? html`<meta name="identity-provider" content="${oidc.host}">`.text : '';
}
