import MarkdownIt from 'markdown-it';
import { Html, html } from '../../platform/html';
import { codeBlock } from './code-block';

export interface Heading {
  level: number;
  id: string;
  text: string;
}

/** The text under a heading, for the search. */
export interface Section extends Heading {
  content: string;
}

export interface RenderedPage {
  title: string;
  body: Html;
  /** Without the title. */
  headings: readonly Heading[];
  /** The first one has the title. */
  sections: readonly Section[];
}

export type ResolveLink = (target: string) => string | undefined;

/** Renders a block of code with requests; `name` is unique in the page. */
export type ShowRequest = (block: string, name: string) => Html;

type Environment = { resolve: ResolveLink; showRequest?: ShowRequest | undefined };

type Token = MarkdownIt.Token;

const AS_WRITTEN: Environment = { resolve: (target) => target };

/** Raw HTML is escaped. */
const markdown = new MarkdownIt({ html: false, linkify: false });
// A diagram is only a second view of the text around it.
const DIAGRAM = 'mermaid';
const REQUEST = 'http';

markdown.core.ruler.push('documentation', ({ tokens, env }) => {
  const { resolve } = env as Environment; // `renderPage` and `renderText` pass it
  nameHeadings(tokens);
  labelCells(tokens);
  for (const { children } of tokens) redirectLinks(children ?? [], resolve);
});

markdown.renderer.rules.heading_close = (tokens, index) => {
  const [open, inline, close] = [tokens[index - 2], tokens[index - 1], tokens[index]];
  const id = open?.attrGet('id') ?? '';
  const label = `Link to this section: ${plainText(inline)}`;
  return html` <a class="anchor" href="#${id}" aria-label="${label}">#</a></${new Html(close?.tag ?? 'h2')}>\n`.text;
};
markdown.renderer.rules.table_open = (tokens, index) =>
  html`<div class="scroll" role="region" tabindex="0" aria-label="${tokens[index]?.attrGet('aria-label')}"><table>`
    .text;
markdown.renderer.rules.table_close = () => '</table></div>';
markdown.renderer.rules.fence = (tokens, index, _options, env) => {
  const { info = '', content = '' } = tokens[index] ?? {};
  const { showRequest } = env as Environment; // as above
  if (info.trim() === DIAGRAM) return '';
  const isRequest = info.trim() === REQUEST && showRequest !== undefined;
  return (isRequest ? showRequest(content.trimEnd(), `example-${index}`) : codeBlock(content.trimEnd())).text;
};

/** The first heading is the title, and not in the body. */
export function renderPage(text: string, resolve: ResolveLink, showRequest?: ShowRequest): RenderedPage {
  const env: Environment = { resolve, showRequest };
  const tokens = markdown.parse(text, env);
  const sections = sectionsOf(tokens);
  const [first, ...headings] = sections;
  const afterTitle = tokens.slice(tokens.findIndex(({ type }) => type === 'heading_close') + 1);
  return {
    title: first?.text ?? '',
    body: new Html(markdown.renderer.render(afterTitle, markdown.options, env)),
    headings,
    sections,
  };
}

export function renderText(text: string): Html {
  return new Html(markdown.render(text, AS_WRITTEN));
}

/** Without marks. */
export function plainTextOf(text: string): string {
  return markdown
    .parseInline(text, AS_WRITTEN)
    .map((token) => plainText(token))
    .join(' ');
}

/** Headings get GitHub's anchors, tables the heading above as their name. */
function nameHeadings(tokens: readonly Token[]): void {
  const times = new Map<string, number>();
  let heading = '';
  let tables = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'table_open') {
      tables += 1;
      token.attrSet('aria-label', `${heading}: table${tables > 1 ? ` ${tables}` : ''}`);
    }
    if (token.type !== 'heading_open') continue;
    heading = plainText(tokens[index + 1]);
    tables = 0;
    const id = anchorOf(heading);
    const before = times.get(id) ?? 0;
    times.set(id, before + 1);
    token.attrSet('id', before === 0 ? id : `${id}-${before}`);
  }
}

/** Generates the same anchors as GitHub. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function plainText(token: Token | undefined): string {
  return (token?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
    .join('')
    .trim();
}

/** A link to an unpublished target keeps its text only. */
function redirectLinks(tokens: readonly Token[], resolve: ResolveLink): void {
  let isPublished = true;
  for (const token of tokens) {
    if (token.type === 'link_open') isPublished = redirect(token, 'href', resolve);
    if (token.type === 'link_close' && !isPublished) token.tag = 'span';
    if (token.type === 'image') redirect(token, 'src', resolve);
  }
}

/** Returns false, and removes the address, if the target is not published. */
function redirect(token: Token, attribute: 'href' | 'src', resolve: ResolveLink): boolean {
  const address = resolve(String(token.attrGet(attribute)));
  if (address === undefined) [token.tag, token.attrs] = ['span', []];
  else token.attrSet(attribute, address);
  return address !== undefined;
}

/** Cells name their columns: narrow screens have no room for the head. */
function labelCells(tokens: readonly Token[]): void {
  let columns: string[] = [];
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'thead_open') columns = [];
    if (token.type === 'th_open') {
      columns.push(plainText(tokens[index + 1]));
      // A head without a text heads nothing.
      const close = tokens[index + 2];
      if (columns.at(-1) === '' && close) [token.tag, close.tag] = ['td', 'td'];
    }
    if (token.type === 'tr_open') column = 0;
    if (token.type !== 'td_open') continue;
    const label = columns[column];
    if (label) token.attrSet('data-label', label);
    column += 1;
  }
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: Section[] = [];
  for (const [index, { type, tag, content }] of tokens.entries()) {
    if (type === 'heading_open') {
      const id = String(tokens[index]?.attrGet('id'));
      sections.push({ level: Number(tag.slice(1)), id, text: plainText(tokens[index + 1]), content: '' });
      continue;
    }
    const last = sections.at(-1);
    if (!last || tokens[index - 1]?.type === 'heading_open') continue;
    if (type === 'inline') last.content += `${plainText(tokens[index])} `;
    else if (type === 'fence') last.content += `${content} `;
  }
  return sections;
}
