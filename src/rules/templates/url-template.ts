import { type Rendering, Template, type TemplateProblem } from './template';

const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]*/i;

/** A URL whose path and query may hold templates. */
export interface UrlTemplate {
  /** The URL with its values, each of which is one part of the path or query. */
  render(rendering: Rendering): string;
}

/**
 * Checks the templates of a URL: none may be in the scheme or the host, or read other secrets than these if they are
 * given.
 */
export function compileUrl(
  url: string,
  secrets?: ReadonlySet<string>,
): { url: UrlTemplate } | { problem: TemplateProblem } {
  const compiled = Template.compile(url, secrets);
  if ('problem' in compiled) return compiled;
  const { template } = compiled;
  if (template.size === 0) return { url: { render: () => url } };
  const open = url.indexOf('{{');
  if (open < (AUTHORITY.exec(url)?.[0].length ?? url.length)) {
    return { problem: { error: 'the host must not hold templates', position: open } };
  }
  return { url: { render: (rendering) => template.render(rendering, encodePart) } };
}

/** A value as one part of a path or query. The parts `.` and `..` would lead to another path, so they become empty. A colon
 * may stand in both (RFC 3986, 3.3). */
function encodePart(value: string): string {
  return value === '.' || value === '..'
    ? ''
    : encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd')).replaceAll('%3A', ':');
}
