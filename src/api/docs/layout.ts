import { createHash } from 'node:crypto';
import { type Html, html } from '../../platform/html';
import { ICON } from '../pages/style';
import { GUIDE_GROUPS } from './guide-table';
import type { Heading } from './markdown';
import { SCRIPT } from './script';
import { STYLE } from './style';

/** Changes with the files, so that browsers can cache them. */
const VERSION = createHash('sha256').update(STYLE).update(SCRIPT).update(ICON).digest('hex').slice(0, 12);

export interface PageLink {
  path: string;
  label: string;
}

export interface DocsPage {
  path: string;
  title: string;
  /** The title unless given. */
  windowTitle?: string;
  /** Above the table of contents. */
  lead?: Html;
  body: Html;
  headings?: readonly Heading[];
  previous?: PageLink;
  next?: PageLink;
  /** Takes the room of the table of contents. */
  wide?: boolean;
  /** What was searched. */
  query?: string;
}

export type ReferenceLinks = readonly PageLink[];

/** `path` has no slash at its beginning. */
export function rootFrom(path: string): string {
  return '../'.repeat(path.split('/').length - 1) || './';
}

/** Relative addresses: the platform may be published under a path. */
export function toDocument(page: DocsPage, reference: ReferenceLinks): string {
  const root = rootFrom(page.path);
  const { headings = [] } = page;
  const contents = headings.filter(({ level }) => level <= (page.wide ? 2 : 3));
  return html`<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.windowTitle ?? page.title} – Sensor data platform</title>
<link rel="icon" href="${root}pages/icon.svg?v=${VERSION}" type="image/svg+xml">
<link rel="stylesheet" href="${root}docs/page.css?v=${VERSION}">
<script src="${root}docs/page.js?v=${VERSION}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the page</a>
${headerOf(page, root)}
<div class="frame${page.wide && html` wide`}">
<nav class="side" id="side" aria-label="Documentation"><a class="narrow" href="${root}console/">Console</a>${navigationOf(page.path, root, reference)}</nav>
<main id="main" tabindex="-1">
<header><h1>${page.title}</h1>${page.lead}</header>
${contents.length > 1 && contentsOf(contents)}
<article>
${page.body}
</article>
${neighboursOf(page, root)}
</main>
</div>
</body>
</html>
`.text;
}

function headerOf({ query = '' }: DocsPage, root: string): Html {
  return html`<header class="top">
<a class="brand" href="${root}docs"><img src="${root}pages/icon.svg?v=${VERSION}" alt="" width="26" height="26"> Documentation</a>
<form class="search" role="search" action="${root}docs/search">
<input type="search" name="q" value="${query}" maxlength="100" placeholder="Search" aria-label="Search guides and reference" autocomplete="off" spellcheck="false">
<div class="found" hidden></div>
<p class="only-read" role="status"></p>
</form>
<a class="to-console" href="${root}console/">Console</a>
<button class="menu" type="button" aria-expanded="false" aria-controls="side" hidden>Menu</button>
</header>`;
}

function navigationOf(path: string, root: string, reference: ReferenceLinks): Html {
  const parts = [
    ...GUIDE_GROUPS.map(({ title, guides }) => ({
      title,
      links: guides.map(({ name, label }) => ({ path: `docs/${name}`, label })),
    })),
    { title: 'API reference', links: reference },
  ];
  return html`${parts.map(
    ({ title, links }) => html`<h2>${title}</h2>
<ul>${links.map(
      (link) =>
        html`<li><a href="${root}${link.path}"${link.path === path && html` aria-current="page"`}>${link.label}</a></li>`,
    )}</ul>
`,
  )}`;
}

/** Open where there is room. */
function contentsOf(headings: readonly Heading[]): Html {
  return html`<nav class="contents" aria-label="On this page">
<details open><summary>On this page</summary>
<ul>${headings.map(({ level, id, text }) => html`<li class="level-${level}"><a href="#${id}">${text}</a></li>`)}</ul>
</details>
</nav>`;
}

function neighboursOf({ previous, next }: DocsPage, root: string): Html {
  if (!previous && !next) return html``;
  const link = (rel: string, word: string, to: PageLink | undefined) =>
    to ? html`<a rel="${rel}" href="${root}${to.path}"><small>${word}</small> ${to.label}</a>` : html`<span></span>`;
  return html`<nav class="neighbours" aria-label="Previous and next page">${link('prev', 'Previous', previous)}${link('next', 'Next', next)}</nav>`;
}
