import { createHash } from 'node:crypto';
import type { Express, Request, Response } from 'express';
import { type Html, html } from '../../platform/html';
import { Words } from '../../platform/words/words';
import { KEPT_PERMANENTLY, StaticDocument } from '../static-document';
import { COPY } from './copy';
import { LOCAL_TIMES } from './local-times';
import { ICON, STYLE } from './style';

const SCRIPTS = { copy: COPY, 'local-times': LOCAL_TIMES };

const FILES = [
  { name: 'style.css', type: 'text/css', text: STYLE },
  { name: 'icon.svg', type: 'image/svg+xml', text: ICON },
  ...Object.entries(SCRIPTS).map(([name, text]) => ({ name: `${name}.js`, type: 'text/javascript', text })),
];

/** Changes with the files, so that browsers can cache them. */
const VERSION = FILES.reduce((hash, { text }) => hash.update(text), createHash('sha256'))
  .digest('hex')
  .slice(0, 12);

export interface Page {
  title: string;
  body: Html;
  status?: number;
  /** Only if the page is in the browser's language; otherwise English. */
  words?: Words;
  /** For lists. */
  wide?: boolean;
  /** For tables: as wide as the window. */
  size?: 'full';
  /** The only script that it runs: shows each `<time>` in the browser's zone as well, or adds buttons that copy. */
  script?: keyof typeof SCRIPTS;
  /** Origins or schemes besides this server. */
  formsMayLeadTo?: readonly string[];
  /** `no-referrer` for an address with a token. With `same-origin`, forms report their site. */
  referrer: 'no-referrer' | 'same-origin';
}

/** The style sheet, the icon and the scripts. */
export function installPageFiles(app: Express): void {
  for (const { name, type, text } of FILES) {
    const document = new StaticDocument(text, type, KEPT_PERMANENTLY);
    app.get(`/pages/${name}`, (request, response) => document.send(request, response));
  }
}

/** Runs no script of others, loads nothing from other sites, and cannot be framed by them. */
export function sendPage(request: Request, response: Response, page: Page): void {
  response
    .status(page.status ?? 200)
    .set('Content-Security-Policy', policyOf(page))
    .set('Referrer-Policy', page.referrer)
    .set('X-Frame-Options', 'DENY')
    .vary(page.words ? 'Accept, Accept-Language' : 'Accept')
    .type('html')
    .send(toDocument(page, rootOf(request)).text);
}

/** False for a program that reads JSON. */
export function wantsPage(request: Request): boolean {
  return request.accepts('json', 'html') === 'html';
}

/** Read first by screen readers. */
export function errorMessage(error: string | undefined): Html {
  const text = error && `${error.charAt(0).toUpperCase()}${error.slice(1)}${/[.!?]$/.test(error) ? '' : '.'}`;
  return html`${text && html`<p class="message error" role="alert">${text}</p>`}`;
}

function toDocument({ title, body, wide, size, script, words = Words.english }: Page, root: string): Html {
  return html`<!doctype html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${root}pages/icon.svg?v=${VERSION}" type="image/svg+xml">
<link rel="stylesheet" href="${root}pages/style.css?v=${VERSION}">
${script && html`<script src="${root}pages/${script}.js?v=${VERSION}" defer></script>`}
</head>
<body>
<div class="page${wide && html` wide`}${size && html` full`}">
<header class="brand"><img src="${root}pages/icon.svg?v=${VERSION}" alt="" width="28" height="28"> ${words.t('Sensor data platform')}</header>
<main>
${body}
</main>
</div>
</body>
</html>
`;
}

function policyOf({ formsMayLeadTo = [], script }: Page): string {
  return [
    "default-src 'none'",
    ...(script ? ["script-src 'self'"] : []),
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    `form-action ${["'self'", ...formsMayLeadTo].join(' ')}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Relative: the platform may be published under a path. */
export function rootOf(request: Request): string {
  const [path = ''] = request.originalUrl.replace(/^https?:\/\/[^/?]*/i, '').split('?');
  return '../'.repeat(Math.max(0, path.split('/').length - 2)) || './';
}
