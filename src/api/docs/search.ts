import { type Html, html } from '../../rules/html';

/** A place that the search can find. */
export interface SearchEntry {
  /** Under the root of the platform, with an anchor. */
  address: string;
  /** The page: a guide, or a part of the reference. */
  page: string;
  /** The heading or the summary of the operation. */
  title: string;
  content: string;
}

/** A place that was found; the higher its score, the better it fits. */
interface Hit {
  entry: SearchEntry;
  score: number;
}

const MAX_HITS = 20;
const MAX_TERMS = 8;
/** Characters of the text before and after the first term. */
const CONTEXT = 70;

/** The entries with all words of the query, the best first. */
export function search(entries: readonly SearchEntry[], query: string): readonly SearchEntry[] {
  const terms = termsOf(query);
  if (terms.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, terms) }))
    .filter(({ score }) => score > 0)
    .sort(byScore)
    .slice(0, MAX_HITS)
    .map(({ entry }) => entry);
}

/** The list of what was found, as links from the root. */
export function resultsOf(entries: readonly SearchEntry[], query: string, root: string): Html {
  if (termsOf(query).length === 0) return html`<p>Enter a word to search all guides and the reference.</p>`;
  if (entries.length === 0) return html`<p>Nothing found for “${query}”. Try fewer or shorter words.</p>`;
  return html`<ul class="results">${entries.map(
    (entry) => html`<li><a href="${root}${entry.address}"><strong>${marked(entry.title, query)}</strong>
<span>${entry.page}${entry.content && html` · ${marked(excerptOf(entry.content, query), query)}`}</span></a></li>
`,
  )}</ul>`;
}

function termsOf(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_TERMS);
}

function byScore(one: Hit, other: Hit): number {
  return other.score - one.score;
}

/** 0 if a term is missing. A title counts more than the text under it, the beginning of a word more than its middle. */
function scoreOf({ title, page, content }: SearchEntry, terms: readonly string[]): number {
  const [head, place, text] = [title.toLowerCase(), page.toLowerCase(), content.toLowerCase()];
  let total = 0;
  for (const term of terms) {
    const score = 8 * closeness(head, term) + 4 * closeness(place, term) + closeness(text, term);
    if (score === 0) return 0;
    total += score;
  }
  return head === terms.join(' ') ? total + 20 : total;
}

function closeness(text: string, term: string): number {
  const at = text.indexOf(term);
  if (at < 0) return 0;
  const isWord = at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1));
  return isWord ? 2 : 1;
}

function excerptOf(content: string, query: string): string {
  const text = content.replace(/\s+/g, ' ').trim();
  const [first = ''] = termsOf(query).filter((term) => text.toLowerCase().includes(term));
  const at = text.toLowerCase().indexOf(first);
  const start = at < CONTEXT ? 0 : text.indexOf(' ', at - CONTEXT) + 1;
  const wanted = at + first.length + CONTEXT;
  const end = wanted >= text.length ? text.length : text.lastIndexOf(' ', wanted);
  const excerpt = text.slice(start, Math.max(end, at + first.length));
  return `${start > 0 ? '… ' : ''}${excerpt}${start + excerpt.length < text.length ? ' …' : ''}`;
}

function marked(text: string, query: string): Html {
  const terms = termsOf(query).map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const parts = text.split(new RegExp(`(${terms.join('|')})`, 'gi'));
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : html`${part}`))}`;
}
