import type { Word } from '../../language/notification-text';
import { type Rendering, Template, type TemplateProblem } from '../../language/templates/template';
import { parseUrl } from '../../platform/parse-url';
import type { Steps } from '../../platform/steps';

/** Stands for the value of a template while a URL is checked. */
const MARK = 'x';

/** Path and query may hold templates. */
export interface UrlTemplate {
  /** A value is one part of the path or query. */
  render(rendering: Rendering): Steps<string>;
  /** The fields of values that it reads. */
  fields(): Word[];
}

/** Refuses templates in the scheme or the host, and secrets other than the given ones. */
export function compileUrl(
  url: string,
  secrets?: ReadonlySet<string>,
): { url: UrlTemplate } | { problem: TemplateProblem } {
  const compiled = Template.compile(url, secrets);
  if ('problem' in compiled) return compiled;
  const { template } = compiled;
  // The parser decides where the host ends: it skips slashes and reads backslashes as slashes.
  const origin = originOf(url);
  if (template.size > 0 && (origin === undefined || originOf(template.renderMarks(MARK)) !== origin)) {
    return { problem: { error: 'the host must not hold templates', position: url.indexOf('{{') } };
  }
  return { url: { render: (rendering) => template.render(rendering, encodePart), fields: () => template.fields } };
}

/** Undefined for a text that is no URL. */
function originOf(text: string): string | undefined {
  const url = parseUrl(text);
  return url && `${url.protocol}//${url.username}:${url.password}@${url.host}`;
}

/** `.` and `..` would lead to another path, so they become empty. A colon may stay (RFC 3986, 3.3). */
function encodePart(value: string): string {
  return value === '.' || value === '..'
    ? ''
    : encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd')).replaceAll('%3A', ':');
}
