import type { Words } from '../../platform/words/words';

/** The text of the notification, or what happened. Never empty. */
export const MESSAGE = 'message';
/** For a service without titles; empty if the notification has a text. */
export const TITLE_WITHOUT_TEXT = `{{text == "" ? cut(title, 100) : ""}}{{text == "" ? ": " : ""}}`;
/** The end of an episode has the key of its firing. Other deliveries have their own. */
const KEY = 'episode == "" ? webhook_id : "episode-"';

/** `episode-207`, or the id of the delivery. */
export const EPISODE_KEY = `{{${KEY}}}{{episode}}`;

/** The template cuts the value of an expression. */
export function first(expression: string, characters: number): string {
  return `{{cut(${expression}, ${characters})}}`;
}

/** Fits a service that reads `&`, `<` and `>` as markup. */
export function firstEscaped(expression: string, characters: number): string {
  return `{{escape(cut(${expression}, ${characters}))}}`;
}

/** Fits a service that reads Markdown: backslashes protect the `marks`. */
export function firstWithoutMarkdown(expression: string, characters: number, marks: string): string {
  return `{{markdown(cut(${expression}, ${characters}), ${JSON.stringify(marks)})}}`;
}

/** Literals of values; strings have double quotes. */
export interface ByUrgency {
  resolved: string;
  critical: string;
  warning: string;
  other: string;
}

export function byUrgency({ resolved, critical, warning, other }: ByUrgency): string {
  return `{{${choice({ resolved, critical, warning, other })}}}`;
}

/** Gives a JSON number. */
export function numberByUrgency(values: ByUrgency): string {
  return `{{number(${choice(values)})}}`;
}

/** Empty if the variable is. Quotes in the texts must be escaped. */
export function between(before: string, variable: string, after: string): string {
  return `${ifGiven(variable, before)}{{${variable}}}${after === '' ? '' : ifGiven(variable, after)}`;
}

export const COLOUR: ByUrgency = {
  resolved: '"#2e7d32"',
  critical: '"#c62828"',
  warning: '"#ef6c00"',
  other: '"#1565c0"',
};

const STATES = ['firing', 'resolved', 'acknowledged', 'event', 'notice'] as const;

/** Links follow the state, which is never missing: to acknowledge a firing, and to see its chart. */
function linksOf(words: Words, link: (variable: string, label: string) => string): string {
  const said = STATES.filter((state) => words.t(state) !== state);
  const state = said.map((one) => `state == "${one}" ? "${words.t(one)}" : `).join('');
  return `{{${state}state}}${link('acknowledge_url', words.t('Acknowledge'))}${link('chart_url', words.t('Chart'))}`;
}

export function markdownLinks(words: Words): string {
  return linksOf(words, (variable, label) => between(` · [${label}](`, variable, ')'));
}

export function htmlLinks(words: Words): string {
  return linksOf(words, (variable, label) => between(' · <a href=\\"', variable, `\\">${label}</a>`));
}

export function slackLinks(words: Words): string {
  return linksOf(words, (variable, label) => between(' · <', variable, `|${label}>`));
}

/** A line of its own, for services that make links of plain URLs. */
export function plainLink(words: Words): string {
  return between(`\n${words.t('Acknowledge')}: `, 'acknowledge_url', '');
}

function ifGiven(variable: string, text: string): string {
  return `{{${variable} == "" ? "" : "${text}"}}`;
}

function choice({ resolved, critical, warning, other }: ByUrgency): string {
  const bySeverity = `severity == "critical" ? ${critical} : severity == "warning" ? ${warning} : ${other}`;
  return `state == "resolved" ? ${resolved} : ${bySeverity}`;
}
