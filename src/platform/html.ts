/** HTML that needs no further escaping. */
export class Html {
  constructor(readonly text: string) {}
}

type Content = string | number | Html | readonly Html[] | false | null | undefined;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes values that are no Html; false, null and undefined become empty. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(parts.reduce((text, part, index) => text + toText(values[index - 1]) + part));
}

function toText(value: Content): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value ? value.map(({ text }) => text).join('') : '';
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
