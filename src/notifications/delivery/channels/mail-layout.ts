import { Html, html } from '../../../platform/html';
import { lookOf, type StateName } from '../../../platform/states';
import type { Words } from '../../../platform/words/words';
import type { Fact, MailContent, PageLink } from './mail-content';

export interface MailLinks {
  acknowledgeUrl?: string;
  unsubscribeUrl?: string;
}

const NEUTRAL = '#475467';
const ACCENT = '#0a6b5e';
const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const CODE = "font-family:ui-monospace,Menlo,Consolas,'Liberation Mono',monospace;font-size:14px";
/** Dark mail programs use these; all others use the inline colors. */
const DARK = `@media (prefers-color-scheme: dark) {
  .page, body { background: #16191d !important; }
  .card { background: #1f2329 !important; border-right-color: #3a4049 !important; border-bottom-color: #3a4049 !important; border-left-color: #3a4049 !important; }
  .strong { color: #f2f4f7 !important; }
  .quiet { color: #b4bcc8 !important; }
}`;

/** The plain-text part of a mail without a text. */
export function toText(content: MailContent, { acknowledgeUrl, unsubscribeUrl }: MailLinks, words: Words): string {
  const { subject, remark, facts, links } = content;
  const width = Math.max(0, ...facts.map(({ name }) => name.length)) + 2;
  const blocks = [
    subject,
    remark,
    facts.map((fact) => textOf(fact, width)).join('\n'),
    acknowledgeUrl === undefined
      ? ''
      : words.t('To acknowledge it, so that it is not repeated: {url}', { url: acknowledgeUrl }),
    links.map(textOfLink).join('\n'),
    facts.flatMap(({ link }) => (link ? [textOfLink(link)] : [])).join('\n'),
  ];
  const footer =
    unsubscribeUrl === undefined ? '' : `\n\n-- \n${words.t('To stop these mails: {url}', { url: unsubscribeUrl })}`;
  return `${blocks.filter((block) => block !== '').join('\n\n')}${footer}\n`;
}

function textOf({ name, lines, note = '' }: Fact, width: number): string {
  const all = note === '' ? lines : [...lines, note];
  return `${`${name}:`.padEnd(width)}${all.join(`\n${' '.repeat(width)}`)}`;
}

function textOfLink({ label, url }: PageLink): string {
  return `${label}: ${url}`;
}

/** Uses tables and inline styles, without images, so that mail programs show it alike. */
export function toHtml(content: MailContent, links: MailLinks, words: Words): string {
  const { state, heading, remark, text, facts } = content;
  const colour = state ? lookOf(state).light[0] : NEUTRAL;
  return html`<!doctype html>
<html lang="${words.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${content.subject}</title><style>${raw(DARK)}</style></head>
<body style="margin:0;background:#f2f4f7"><main>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f2f4f7"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;background:#ffffff;border:1px solid #d0d5dd;border-top:6px solid ${colour};border-radius:8px;border-collapse:separate;${raw(FONT)}">
<tr><td style="padding:24px">
${text !== '' && html`<p class="strong" style="margin:0 0 20px;font-size:16px;line-height:1.5;color:#101828;white-space:pre-wrap;overflow-wrap:anywhere">${text}</p>`}
${state && html`<p style="margin:0 0 8px;font-size:13px">${chip(state, words.t(lookOf(state).word))}</p>`}
<h1 class="strong" style="margin:4px 0 16px;font-size:20px;line-height:1.3;color:#101828;overflow-wrap:anywhere">${heading}</h1>
${remark !== '' && html`<p class="quiet" style="margin:0 0 16px;font-size:14px;line-height:1.5;color:#475467">${remark}</p>`}
${facts.length > 0 && table(facts)}
${links.acknowledgeUrl !== undefined && button(links.acknowledgeUrl, words)}
${content.links.map(pageLink)}
</td></tr></table>
${links.unsubscribeUrl !== undefined && html`<p class="quiet" style="margin:16px 0 0;font-size:13px;color:#475467;${raw(FONT)}"><a class="quiet" style="color:#475467" href="${links.unsubscribeUrl}">${words.t('Stop these mails')}</a></p>`}
</td></tr></table>
</main></body></html>
`.text;
}

/** Marks our own markup as safe. Must never contain user input. */
function raw(text: string): Html {
  return new Html(text);
}

function table(facts: readonly Fact[]): Html {
  return html`<table cellpadding="0" cellspacing="0" width="100%" style="border-collapse:collapse">${facts.map(row)}</table>`;
}

function row({ name, lines, isCode, note = '', state, link }: Fact): Html {
  const cell = `padding:6px 0;font-size:15px;line-height:1.5;vertical-align:top;text-align:left`;
  return html`
<tr><th class="quiet" scope="row" style="${cell};width:88px;padding-right:16px;font-weight:400;color:#475467">${name}</th>
<td class="strong" style="${cell};color:#101828;overflow-wrap:anywhere">${lines.map((line) => html`<div${isCode && html` style="${raw(CODE)}"`}>${state && html`${chip(state)} `}${link ? anchor(link.url, line) : line}</div>`)}${note !== '' && html`<div>${note}</div>`}</td></tr>`;
}

function button(url: string, words: Words): Html {
  return html`<p style="margin:20px 0 0"><a href="${url}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:${raw(ACCENT)};color:#ffffff;font-size:15px;font-weight:600;text-decoration:none">${words.t('Acknowledge')}</a></p>
<p class="quiet" style="margin:8px 0 0;font-size:13px;color:#475467">${words.t('It is then not repeated until it is over.')}</p>`;
}

function pageLink({ label, url }: PageLink): Html {
  return html`<p style="margin:16px 0 0;font-size:15px;line-height:1.5;overflow-wrap:anywhere">${anchor(url, label)}</p>`;
}

function anchor(url: string, text: string): Html {
  return html`<a class="strong" style="color:#101828" href="${url}">${text}</a>`;
}

/** The sign of a state, before its word if that is given. */
function chip(state: StateName, word = ''): Html {
  const { sign, light } = lookOf(state);
  const [ink, soft] = light;
  return html`<span style="display:inline-block;padding:2px 8px;border-radius:12px;background:${soft};color:${ink};font-size:13px;font-weight:600"><span aria-hidden="true">${sign}</span>${word && ` ${word}`}</span>`;
}
