import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { Express, Request, Response } from 'express';
import type { Config } from '../platform/config';
import { PlatformError, Unavailable } from '../platform/errors';
import { html } from '../rules/html';
import { rootOf, wantsPage } from './pages/page';
import { KEPT_PERMANENTLY, StaticDocument } from './static-document';

const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

const KEPT_FOR_A_DAY = 'public, max-age=86400';
const CHECKED_EACH_TIME = 'no-cache';
/** The folders. The names of the built files change with their contents. */
const FOLDERS: Readonly<Record<string, string>> = {
  assets: KEPT_PERMANENTLY,
  icons: KEPT_FOR_A_DAY,
  'ways-in': CHECKED_EACH_TIME,
};
/** The files outside of folders. */
const FILES: Readonly<Record<string, string>> = {
  'icon.svg': KEPT_FOR_A_DAY,
  'manifest.webmanifest': CHECKED_EACH_TIME,
  'sw.js': CHECKED_EACH_TIME,
};

/** Allows the service worker to fetch from the same server, and nothing else. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

/** The address of a public dashboard is its key: neither search engines nor other sites get it. */
const FOR_LINK_HOLDERS = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' };

/** The map behind the outlines of environments. */
type ConsoleMap = Config['mapTiles'];

/**
 * Allows the console's own scripts, styles and manifest, the API of the same server, and images of the map's host, if there is
 * one. Nothing inline.
 */
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

/**
 * Serves the console under `/console/`, and redirects browsers there from the root. Programs get the location of the
 * reference there.
 */
export function installConsole(app: Express, { mapTiles, publicUrl }: Pick<Config, 'mapTiles' | 'publicUrl'>): void {
  const files = new ConsoleFiles();
  const policy = policyWith(mapTiles);
  app.get('/', (request, response) => {
    response.vary('Accept');
    if (wantsPage(request)) return response.redirect(302, `${rootOf(request)}console/`);
    const root = publicUrl ?? `${request.protocol}://${request.host ?? 'localhost'}`;
    return response.json({ name: 'Sensor data platform', reference: `${root}/docs`, openapi: `${root}/openapi.json` });
  });
  const send = (nameOf: (request: Request) => string) => async (request: Request, response: Response) => {
    // The suffix has been cut off the path, as from that of an operation.
    const suffix = response.locals.jsonSuffix === true ? '.json' : '';
    if (await files.send(request, response, nameOf(request) + suffix)) return;
    throw new PlatformError(404, 'unknown_path', 'unknown path');
  };
  for (const folder of Object.keys(FOLDERS)) {
    app.get(
      `/console/${folder}/:name`,
      send(({ params }) => `${folder}/${params.name}`),
    );
  }
  for (const name of Object.keys(FILES)) {
    const sendFile = send(() => name);
    app.get(`/console/${name}`, (request, response) => {
      if (name === 'sw.js') response.set('Content-Security-Policy', WORKER_POLICY);
      return sendFile(request, response);
    });
  }
  app.get(['/console', '/console/*page'], (request, response) => {
    const page = files.page();
    if (page === undefined) throw new Unavailable('the console was not built: npm run build');
    response
      .set('Content-Security-Policy', policy)
      .set(isPublic(request) ? FOR_LINK_HOLDERS : { 'Referrer-Policy': 'same-origin' })
      .set('X-Frame-Options', 'DENY')
      .set('Cache-Control', 'no-cache')
      .type('html')
      .send(
        page.replaceAll('"./', `"${rootOf(request)}console/`).replace('</head>', () => `${metaOf(mapTiles)}</head>`),
      );
  });
}

function isPublic({ path }: Request): boolean {
  return /^\/console\/public(?:\/|$)/i.test(path);
}

/** The address of the map for the page, which has no other way to know it. */
function metaOf(map: ConsoleMap): string {
  return map ? html`<meta name="map-tiles" content="${map.url}" data-attribution="${map.attribution}">`.text : '';
}

/** The output of `npm run build` for `console/`, read on first use. */
class ConsoleFiles {
  private readonly folder = folderOf();
  private readonly names = namesIn(this.folder);
  private readonly documents = new Map<string, StaticDocument>();

  /** The page, whose links begin with `./`; undefined if it does not exist. */
  page(): string | undefined {
    return this.names.has('index.html') ? readFileSync(join(this.folder, 'index.html'), 'utf8') : undefined;
  }

  /** Sends one of the files. Returns false if there is no such file. */
  async send(request: Request, response: Response, name: string): Promise<boolean> {
    if (!this.names.has(name)) return false;
    const document = this.documents.get(name) ?? this.read(name);
    this.documents.set(name, document);
    await document.send(request, response);
    return true;
  }

  private read(name: string): StaticDocument {
    const type = TYPES[extname(name)] ?? 'application/octet-stream';
    const cacheControl = FILES[name] ?? FOLDERS[dirname(name)] ?? CHECKED_EACH_TIME;
    return new StaticDocument(readFileSync(join(this.folder, name)), type, cacheControl);
  }
}

/** In `dist`, next to the compiled code. Tests run from the sources. */
function folderOf(): string {
  const compiled = join(__dirname, '../../web');
  return existsSync(compiled) ? compiled : join(__dirname, '../../dist/web');
}

function namesIn(folder: string): ReadonlySet<string> {
  if (!existsSync(folder)) return new Set();
  return new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/')));
}
