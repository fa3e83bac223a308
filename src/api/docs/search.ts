import { type Html, html } from '../../platform/html';

export interface SearchEntry {
  address: string;
  page: string;
  /** A heading, or an operation's summary. */
  title: string;
  /** Counts as much as the title. */
  alias?: string;
  /** Added to the score: explanations come before details. */
  bonus?: number;
  content: string;
}

interface IndexedEntry {
  entry: SearchEntry;
  title: string;
  alias: string;
  page: string;
  content: string;
}

const MAX_HITS = 20;
const MAX_TERMS = 8;
/** Score of an exact name. */
const EXACT = 40;
/** `escalate` finds `escalation`. */
const ENDING = /(?:ions?|ing|ed|es|s|e)$/;
const SHORTEST_STEM = 5;
/** Characters before and after the first term. */
const CONTEXT = 70;

/** All entries are in memory. */
export class SearchIndex {
  private readonly entries: readonly IndexedEntry[];

  constructor(entries: readonly SearchEntry[]) {
    this.entries = entries.map((entry) => ({
      entry,
      title: entry.title.toLowerCase(),
      alias: (entry.alias ?? '').toLowerCase(),
      page: entry.page.toLowerCase(),
      content: entry.content.toLowerCase(),
    }));
  }

  find(query: string): readonly SearchEntry[] {
    const terms = termsOf(query);
    if (terms.length === 0) return [];
    return this.entries
      .map((indexed) => ({ entry: indexed.entry, score: scoreOf(indexed, terms) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      .slice(0, MAX_HITS)
      .map(({ entry }) => entry);
  }
}

/** Links from the root. */
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

/** 0 if a term is missing. Titles count more than texts, beginnings of words more than middles. */
function scoreOf({ entry, title, alias, page, content }: IndexedEntry, terms: readonly string[]): number {
  let total = 0;
  for (const term of terms) {
    const names = Math.max(closeness(title, term), closeness(alias, term));
    const score = 8 * names + 4 * closeness(page, term) + closeness(content, term);
    if (score === 0) return 0;
    total += score;
  }
  const isNamed = [title, alias].includes(terms.join(' '));
  return total + (entry.bonus ?? 0) + (isNamed ? EXACT : 0);
}

function stemOf(term: string): string {
  const stem = term.replace(ENDING, '');
  return stem.length < SHORTEST_STEM ? term : stem;
}

function closeness(text: string, term: string): number {
  const at = text.indexOf(stemOf(term));
  if (at < 0) return 0;
  const isWord = at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1));
  return isWord ? 2 : 1;
}

function excerptOf(content: string, query: string): string {
  const text = content.replace(/\s+/g, ' ').trim();
  const [first = ''] = termsOf(query)
    .map(stemOf)
    .filter((term) => text.toLowerCase().includes(term));
  const at = text.toLowerCase().indexOf(first);
  const start = at < CONTEXT ? 0 : text.indexOf(' ', at - CONTEXT) + 1;
  const wanted = at + first.length + CONTEXT;
  const end = wanted >= text.length ? text.length : text.lastIndexOf(' ', wanted);
  const excerpt = text.slice(start, Math.max(end, at + first.length));
  return `${start > 0 ? '… ' : ''}${excerpt}${start + excerpt.length < text.length ? ' …' : ''}`;
}

function marked(text: string, query: string): Html {
  const terms = termsOf(query).map((term) => stemOf(term).replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const parts = text.split(new RegExp(`(${terms.join('|')})`, 'gi'));
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : html`${part}`))}`;
}
