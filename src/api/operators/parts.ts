import { type Html, html } from '../../platform/html';

const DAY_S = 86_400;

/** Scrolls sideways if it must. */
export function table(caption: string, names: readonly (string | Html)[], rows: readonly Html[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table>
<thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

export function navigation(root: string): Html {
  return html`<nav aria-label="Pages of operators"><a href="${root}admin">Overview</a> · <a href="${root}admin/users">Users</a> · <a href="${root}admin/queues">Jobs, one by one</a> · <a href="${root}metrics">Metrics</a></nav>
<p class="small">Guides: <a href="${root}docs/operate/backup">Backup and restore</a> · <a href="${root}docs/operate/upgrade">Upgrade</a> · <a href="${root}docs/operate/monitoring">Monitoring</a> · <a href="${root}docs/operate/admin">Command line</a></p>`;
}

export function number(count: number): string {
  return new Intl.NumberFormat('en', { maximumFractionDigits: count < 10 ? 1 : 0 }).format(count);
}

export function count(value: number): Html {
  return html`<td class="number">${number(value)}</td>`;
}

/** Shows one unit; a dash for null. */
export function age(seconds: number | null): string {
  if (seconds === null) return '–';
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 2 * DAY_S ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / DAY_S)} days`;
}

/** Shows UTC, the same for all operators, to which the browser adds its own time; a dash for null. */
export function time(ms: number | null): Html {
  if (ms === null) return html`–`;
  const iso = new Date(ms).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

/** In UTC. */
export function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

export function bytes(size: number): string {
  const power = Math.min(4, Math.max(0, Math.floor(Math.log(Math.max(1, size)) / Math.log(1_000))));
  return `${number(size / 1_000 ** power)} ${['B', 'kB', 'MB', 'GB', 'TB'][power]}`;
}

export function userLink(root: string, { id, username }: { id: number; username: string }): Html {
  return username
    ? html`<a href="${root}admin/users/${id}">${username}</a>`
    : html`deleted <span class="quiet">${id}</span>`;
}
