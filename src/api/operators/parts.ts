import type { Request, Response } from 'express';
import { type Html, html } from '../../platform/html';
import { LOCALES } from '../../platform/words/language';
import type { PlainText, Words } from '../../platform/words/words';
import { wordsFor } from '../pages/language';
import { type Page, rootOf, sendPage } from '../pages/page';

const DAY_S = 86_400;
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** A text of the catalogue, or what was made of some. */
type Heading = PlainText | Html;

/** Writes the parts of a page in the language of the browser. */
export class PageWriter {
  constructor(
    readonly words: Words,
    /** Relative path to the platform's root. */
    readonly root: string,
  ) {}

  static for(request: Request): PageWriter {
    return new PageWriter(wordsFor(request), rootOf(request));
  }

  /** Scrolls sideways if it must. */
  table(caption: Heading, names: readonly Heading[], rows: readonly Html[]): Html {
    return html`<div class="scroll" tabindex="0" role="region" aria-label="${this.heading(caption)}"><table>
<thead><tr>${names.map((name) => html`<th scope="col">${this.heading(name)}</th>`)}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
  }

  title(text: PlainText): Html {
    return html`<h2>${this.words.t(text)}</h2>`;
  }

  quiet(text: PlainText): Html {
    return html`<p class="quiet">${this.words.t(text)}</p>`;
  }

  note(text: string | Html): Html {
    return html`<p class="quiet small">${text}</p>`;
  }

  link(path: string, text: PlainText): Html {
    return html`<a href="${this.root}${path}">${this.words.t(text)}</a>`;
  }

  navigation(): Html {
    const { words } = this;
    return html`<nav aria-label="${words.t('Pages of operators')}">${this.link('admin', 'Overview')} · ${this.link('admin/users', 'Users')} · ${this.link('admin/queues', 'Jobs, one by one')} · ${this.link('metrics', 'Metrics')}</nav>
<p class="small">${words.t('Guides')}: ${this.link('docs/operate/backup', 'Backup and restore')} · ${this.link('docs/operate/upgrade', 'Upgrade')} · ${this.link('docs/operate/monitoring', 'Monitoring')} · ${this.link('docs/operate/admin', 'Command line')}</p>`;
  }

  number(count: number): string {
    return this.format(count, { maximumFractionDigits: count < 10 ? 1 : 0 });
  }

  count(value: number, isBad = false): Html {
    const text = this.number(value);
    return html`<td class="number">${isBad ? html`<strong>${text}</strong>` : text}</td>`;
  }

  /** Shows one unit; a dash for null. */
  age(seconds: number | null): string {
    if (seconds === null) return '–';
    if (seconds < 120) return `${Math.round(seconds)} s`;
    if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
    if (seconds < 2 * DAY_S) return `${Math.round(seconds / 3_600)} h`;
    return this.format(Math.round(seconds / DAY_S), { style: 'unit', unit: 'day', unitDisplay: 'long' });
  }

  /** Shows UTC, the same for all operators, to which the browser adds its own time; a dash for null. */
  time(ms: number | null): Html {
    if (ms === null) return html`–`;
    const iso = new Date(ms).toISOString();
    return html`<time datetime="${iso}">${`${iso.slice(0, 19).replace('T', ' ')} UTC`}</time>`;
  }

  bytes(size: number): string {
    const power = Math.min(4, Math.max(0, Math.floor(Math.log(Math.max(1, size)) / Math.log(1_000))));
    return `${this.number(size / 1_000 ** power)} ${UNITS[power]}`;
  }

  userLink({ id, username }: { id: number; username: string }): Html {
    if (username) return html`<a href="${this.root}admin/users/${id}">${username}</a>`;
    return this.words.tx('deleted {id}', { id: html`<span class="quiet">${id}</span>` });
  }

  private heading(text: Heading): string | Html {
    return typeof text === 'string' ? this.words.t(text) : text;
  }

  private format(value: number, options: Intl.NumberFormatOptions): string {
    return new Intl.NumberFormat(LOCALES[this.words.language], options).format(value);
  }
}

/** For tables, in the language of the browser. */
export function sendWide(request: Request, response: Response, page: Pick<Page, 'title' | 'body'>): void {
  const shape = { words: wordsFor(request), size: 'full', script: 'local-times', referrer: 'same-origin' } as const;
  sendPage(request, response, { ...page, ...shape });
}

/** In UTC. */
export function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
