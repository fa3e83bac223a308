/** Translations by their English texts. `{name}` stands for a value. */
export type Catalogue = Readonly<Record<string, string>>;

interface Template {
  /** The texts before, between and after the values. */
  fixed: readonly string[];
  names: readonly string[];
  translation: string;
}

/** Values of these names are texts of the catalogue as well. */
const TEXTS: ReadonlySet<string> = new Set(['what', 'why']);
const LEVELS = 5;
const templates = new WeakMap<Catalogue, readonly Template[]>();

/**
 * Finds the template that a written text was made from, and fills its translation with the same values. The text is
 * unchanged if there is none. Takes time in proportion to the length of the text.
 */
export function translate(text: string, catalogue: Catalogue, levels = LEVELS): string {
  if (Object.hasOwn(catalogue, text)) return catalogue[text] ?? text;
  if (levels === 0) return text;
  for (const template of templatesOf(catalogue)) {
    const values = valuesIn(text, template);
    if (values) return filled(template, values, (part) => translate(part, catalogue, levels - 1));
  }
  return text;
}

/** Those with the most fixed text come first: `{what} does not exist` must not read what a longer one describes. */
function templatesOf(catalogue: Catalogue): readonly Template[] {
  const known = templates.get(catalogue);
  if (known) return known;
  const made = Object.entries(catalogue)
    .filter(([text]) => text.includes('{'))
    .map(([text, translation]) => toTemplate(text, translation))
    .sort((a, b) => b.fixed.join('').length - a.fixed.join('').length);
  templates.set(catalogue, made);
  return made;
}

function toTemplate(text: string, translation: string): Template {
  const parts = text.split(/\{(\w+)\}/);
  return {
    fixed: parts.filter((_, index) => index % 2 === 0),
    names: parts.filter((_, index) => index % 2 === 1),
    translation,
  };
}

/** The values by their order; undefined if the text is no text of this template. */
function valuesIn(text: string, { fixed }: Template): string[] | undefined {
  const [first = '', ...later] = fixed;
  const last = later.pop() ?? '';
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return undefined;
  const end = text.length - last.length;
  const values: string[] = [];
  let from = first.length;
  for (const part of later) {
    const at = text.indexOf(part, from);
    if (at < 0 || at + part.length > end) return undefined;
    values.push(text.slice(from, at));
    from = at + part.length;
  }
  return [...values, text.slice(from, end)];
}

function filled({ names, translation }: Template, values: readonly string[], said: (text: string) => string): string {
  return translation.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[names.indexOf(name)] ?? '';
    return TEXTS.has(name) ? said(value) : value;
  });
}
