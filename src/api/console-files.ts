import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { KEPT_PERMANENTLY, type SendFile, StaticDocument } from './static-document';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

const KEPT_FOR_A_DAY = 'public, max-age=86400';
/** Other files are checked each time. Names of built files change with their contents. */
const KEPT: Readonly<Record<string, string>> = {
  assets: KEPT_PERMANENTLY,
  icons: KEPT_FOR_A_DAY,
  'icon.svg': KEPT_FOR_A_DAY,
};
/** Below them there are no pages. */
export const CONSOLE_FOLDERS = ['assets', 'icons', 'ways-in'];

const PAGE = 'index.html';
const WORKER = 'sw.js';
/** The service worker fetches from the same server only. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

/** `npm run build` of `console/`, without the page. Each file is read on first use. */
export class ConsoleFiles {
  private readonly names = namesIn(folderOf());
  private readonly documents = new Map<string, StaticDocument>();

  find(name: string): SendFile | undefined {
    if (name === PAGE || !this.names.has(name)) return undefined;
    const document = this.documents.get(name) ?? read(name);
    this.documents.set(name, document);
    return (request, response) => {
      if (name === WORKER) response.set('Content-Security-Policy', WORKER_POLICY);
      return document.send(request, response);
    };
  }
}

/** Links begin with `./`; undefined if the console was not built. */
export function readConsolePage(): string | undefined {
  const file = join(folderOf(), PAGE);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function read(name: string): StaticDocument {
  const [first = ''] = name.split('/', 1);
  const type = TYPES[extname(name)] ?? 'application/octet-stream';
  const packed = join(`${folderOf()}-br`, basename(name)); // the build compresses assets
  return new StaticDocument(
    readFileSync(join(folderOf(), name)),
    type,
    KEPT[first],
    first === 'assets' && existsSync(packed) ? readFileSync(packed) : undefined,
  );
}

function folderOf(): string {
  const compiled = join(__dirname, '../../web');
  return existsSync(compiled) ? compiled : join(__dirname, '../../dist/web');
}

function namesIn(folder: string): ReadonlySet<string> {
  if (!existsSync(folder)) return new Set();
  return new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/')));
}
