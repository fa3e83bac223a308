import { setImmediate as nextStep } from 'node:timers/promises';
import type { Express, NextFunction, Request, Response } from 'express';
import { PlatformError } from '../../platform/errors';
import { type Html, html } from '../../platform/html';
import type { OpenApiDocument } from '../openapi/document';
import { rootOf, wantsPage } from '../pages/page';
import { KEPT_PERMANENTLY, StaticDocument } from '../static-document';
import { GUIDE_GROUPS, GUIDES } from './guide-table';
import { readAttachment, renderGuide } from './guides';
import { type DocsPage, rootFrom, toDocument } from './layout';
import { listForPrograms, markdownAt } from './plain-guides';
import { ApiReference } from './reference';
import { SCRIPT } from './script';
import { resultsOf, type SearchEntry, SearchIndex } from './search';
import { PLACEHOLDERS } from './snippets';
import { STYLE } from './style';

/** Files of this server only. Nothing inline. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const SEARCH = 'docs/search';
const MAX_QUERY = 100;
/** Score of guides in the search. */
const GUIDES_FIRST = 10;

/** Guides and reference under `/docs`, rendered on first use and revalidated each time. */
export function installDocs(app: Express, openapi: OpenApiDocument, publicUrl: string | undefined): void {
  const documentation = new Documentation(openapi, publicUrl);
  const documents = {
    '/docs/page.css': new StaticDocument(STYLE, 'text/css', KEPT_PERMANENTLY),
    '/docs/page.js': new StaticDocument(SCRIPT, 'text/javascript', KEPT_PERMANENTLY),
    '/llms.txt': new StaticDocument(listForPrograms(publicUrl), 'text/plain; charset=utf-8'),
  };
  for (const [path, document] of Object.entries(documents)) {
    app.get(path, (request, response) => document.send(request, response));
  }
  app.get(['/docs', '/docs/*name'], leaveFolder);
  app.get(`/${SEARCH}`, async (request, response) => {
    const page = await documentation.search(String(request.query.q ?? '').slice(0, MAX_QUERY));
    setPolicy(response).set('Cache-Control', 'no-cache').type('html').send(page);
  });
  app.get(['/docs', '/docs/*name'], (request, response) => documentation.send(request, response));
}

/** Relative links would lead elsewhere from an address that ends in a slash. */
function leaveFolder(request: Request, response: Response, next: NextFunction): void {
  const [asked = ''] = request.originalUrl.split('?');
  if (asked.endsWith('/')) response.redirect(301, rootOf(request) + request.url.slice(1));
  else next();
}

class Documentation {
  private readonly reference: ApiReference;
  private readonly documents = new Map<string, StaticDocument>();
  private index: Promise<SearchIndex> | undefined;

  constructor(
    openapi: OpenApiDocument,
    private readonly publicUrl: string | undefined,
  ) {
    this.reference = new ApiReference(openapi, publicUrl);
  }

  /** Sends the page, or the error 404, for browsers as a page. */
  async send(request: Request, response: Response): Promise<void> {
    const path = request.path.slice(1);
    const document = this.documents.get(path) ?? this.open(path);
    if (document) {
      this.documents.set(path, document);
      return document.send(request, setPolicy(response));
    }
    if (!wantsPage(request)) throw new PlatformError(404, 'unknown_path', 'unknown path');
    setPolicy(response)
      .status(404)
      .type('html')
      .send(this.toText(missingPage(path)));
  }

  async search(query: string): Promise<string> {
    this.index ??= this.buildIndex();
    const results = resultsOf((await this.index).find(query), query, rootFrom(SEARCH));
    const body = html`<div id="results">${results}</div>`;
    return this.toText({ path: SEARCH, title: 'Search', query, body });
  }

  private open(path: string): StaticDocument | undefined {
    const page = path === 'docs' ? startPage() : (guidePage(path, this.publicUrl) ?? this.reference.find(path));
    if (page) return new StaticDocument(this.toText(page), 'text/html');
    const markdown = markdownAt(path);
    if (markdown !== undefined) return new StaticDocument(markdown, 'text/markdown; charset=utf-8');
    const file = path.startsWith('docs/') ? readAttachment(path.slice('docs/'.length)) : undefined;
    return file && new StaticDocument(file.content, file.type);
  }

  private toText(page: DocsPage): string {
    return toDocument(page, this.reference.links);
  }

  /** Takes 0.2 s in steps, between which other requests are handled. */
  private async buildIndex(): Promise<SearchIndex> {
    const entries: SearchEntry[] = [];
    for (const guide of GUIDES) {
      const { title, sections } = renderGuide(guide, '');
      for (const { id, text, content, level } of sections) {
        const address = `docs/${guide.name}${level > 1 ? `#${id}` : ''}`;
        entries.push({ address, page: title, title: text, content, bonus: GUIDES_FIRST });
      }
      await nextStep();
    }
    return new SearchIndex([...entries, ...this.reference.entries()]);
  }
}

function setPolicy(response: Response): Response {
  return response.set('Content-Security-Policy', POLICY).set('X-Frame-Options', 'DENY');
}

function guidePage(path: string, publicUrl: string | undefined): DocsPage | undefined {
  const at = GUIDES.findIndex(({ name }) => path === `docs/${name}`);
  const guide = GUIDES[at];
  if (!guide) return undefined;
  const neighbour = (index: number) => {
    const other = GUIDES[index];
    return other && { path: `docs/${other.name}`, label: other.label };
  };
  const [previous, next] = [neighbour(at - 1), neighbour(at + 1)];
  const { hasRequests, ...page } = renderGuide(guide, rootFrom(path), publicUrl);
  const lead = hasRequests && { lead: howToTry(rootFrom(path)) };
  return { path, ...page, ...lead, ...(previous && { previous }), ...(next && { next }) };
}

function howToTry(root: string): Html {
  return html`<p class="small quiet">Choose at a request how it is shown: as HTTP with its answer, or to paste as curl, Python or JavaScript. Put a key with all scopes (in the <a href="${root}console/">console</a> under <em>Account</em>) in the place of <code>${PLACEHOLDERS.key}</code>, and for <code>&lt;name&gt;</code> the id that an earlier answer gave.</p>`;
}

function startPage(): DocsPage {
  const card = (address: string, label: string, about: string): Html =>
    html`<li><a href="./${address}"><strong>${label}</strong><span>${about}</span></a></li>
`;
  const groups = GUIDE_GROUPS.map(
    ({ title, guides }) => html`<h2>${title}</h2>
<ul class="cards">${guides.map(({ name, label, about }) => card(`docs/${name}`, label, about))}</ul>
`,
  );
  return {
    path: 'docs',
    title: 'Documentation',
    wide: true,
    lead: html`<p>Guides for users, developers and operators of this platform, and the reference of its API.</p>`,
    body: html`<div class="overview">
<ul class="cards">
${card('docs/tour', 'Start here', 'Five minutes with curl, from a new account to an alert')}
${card('docs/ways-in', 'Connect a device', 'From Telegraf to a weather station: what you have, and how to connect it')}
${card('docs/reference', 'API reference', 'Every operation, with examples in curl, Python and JavaScript')}
</ul>
${groups}</div>`,
  };
}

function missingPage(path: string): DocsPage {
  const root = rootFrom(path);
  return {
    path,
    title: 'Page not found',
    body: html`<p>The documentation has no page at this address. Search for it above, or go to the <a href="${root}docs">start of the documentation</a>.</p>`,
  };
}
