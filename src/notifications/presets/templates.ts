/** An expression for what stands below the title: the text of the notification, or what happened. Never empty. */
export const MESSAGE = 'message';
/** A template of the title, for a service that shows none; empty if the notification has a text. */
export const TITLE_WITHOUT_TEXT = `{{text == "" ? cut(title, 100) : ""}}{{text == "" ? ": " : ""}}`;
/** An expression for the key of an episode, which its end has as well. Other deliveries have a key of their own. */
const KEY = 'episode == "" ? webhook_id : "episode-"';

/** The key of an episode, `episode-207`; the id of the delivery if it belongs to none. */
export const EPISODE_KEY = `{{${KEY}}}{{episode}}`;

/** A template of the first characters of an expression. */
export function first(expression: string, characters: number): string {
  return `{{cut(${expression}, ${characters})}}`;
}

/** The same, for a service that reads `&`, `<` and `>` as markup. */
export function firstEscaped(expression: string, characters: number): string {
  return `{{escape(cut(${expression}, ${characters}))}}`;
}

/** The same, for a service that reads Markdown: `marks` are the characters before which it reads a backslash. */
export function firstWithoutMarkdown(expression: string, characters: number, marks: string): string {
  return `{{markdown(cut(${expression}, ${characters}), ${JSON.stringify(marks)})}}`;
}

/** What a service has for each urgency: the literals of four values, strings in double quotes. */
export interface ByUrgency {
  resolved: string;
  critical: string;
  warning: string;
  other: string;
}

/** A template of the value for the urgency of a delivery. */
export function byUrgency({ resolved, critical, warning, other }: ByUrgency): string {
  return `{{${choice({ resolved, critical, warning, other })}}}`;
}

/** The same, as a JSON number. */
export function numberByUrgency(values: ByUrgency): string {
  return `{{number(${choice(values)})}}`;
}

/** A template of a variable between two texts; empty if the variable is. Quotes in the texts must be escaped. */
export function between(before: string, variable: string, after: string): string {
  return `${ifGiven(variable, before)}{{${variable}}}${after === '' ? '' : ifGiven(variable, after)}`;
}

/** The colours of urgencies, in hexadecimal. */
export const COLOUR: ByUrgency = {
  resolved: '"#2e7d32"',
  critical: '"#c62828"',
  warning: '"#ef6c00"',
  other: '"#1565c0"',
};

/** Links in Markdown to acknowledge a firing and to see its chart, after a word that is never missing. */
export const MARKDOWN_LINKS = `{{state}}${between(' · [Acknowledge](', 'acknowledge_url', ')')}${between(' · [Chart](', 'chart_url', ')')}`;

/** The same in HTML. */
export const HTML_LINKS =
  '{{state}}' +
  between(' · <a href=\\"', 'acknowledge_url', '\\">Acknowledge</a>') +
  between(' · <a href=\\"', 'chart_url', '\\">Chart</a>');

/** The link that acknowledges, on a line of its own, for services that make links of plain URLs. */
export const PLAIN_LINK = between('\nAcknowledge: ', 'acknowledge_url', '');

function ifGiven(variable: string, text: string): string {
  return `{{${variable} == "" ? "" : "${text}"}}`;
}

function choice({ resolved, critical, warning, other }: ByUrgency): string {
  const bySeverity = `severity == "critical" ? ${critical} : severity == "warning" ? ${warning} : ${other}`;
  return `state == "resolved" ? ${resolved} : ${bySeverity}`;
}
