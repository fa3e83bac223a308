import type { Request } from 'express';
import { type Html, html } from '../../platform/html';
import { GERMAN } from './german';

/** An English text of the pages. Each has its German one; a text without it does not compile. */
type Text = keyof typeof GERMAN;
/** A text without values. */
export type PlainText = Exclude<Text, `${string}{${string}`>;

const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type ValuesOf<T extends string, V> = [NamesIn<T>] extends [never] ? [] : [values: Record<NamesIn<T>, V>];

/** The texts of the pages in one language. */
export class Words {
  constructor(readonly language: Language) {}

  /** A text in this language. `{name}` is replaced by the value of this name. The result is not yet escaped. */
  t<T extends Text>(text: T, ...[values]: ValuesOf<T, string>): string {
    return partsOf<string>(this.said(text), values).join('');
  }

  /** The same as HTML, with HTML as values; the text and plain values are escaped. */
  tx<T extends Text>(text: T, ...[values]: ValuesOf<T, string | Html>): Html {
    return html`${partsOf<string | Html>(this.said(text), values).map((part) => html`${part}`)}`;
  }

  /** A text such as the message of an error, in this language if it has the text. */
  said(text: string): string {
    return this.language === 'de' && Object.hasOwn(GERMAN, text) ? GERMAN[text as Text] : text;
  }

  /** The day of a time, in UTC. */
  day(ms: number): string {
    const locale = this.language === 'de' ? 'de-DE' : 'en-GB';
    return new Date(ms).toLocaleDateString(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  }
}

/** The texts in the language that the browser prefers of those that there are; English without a preference. */
export function wordsFor(request: Request): Words {
  const [first] = LANGUAGES;
  return new Words(LANGUAGES.find((one) => one === request.acceptsLanguages(...LANGUAGES)) ?? first);
}

function partsOf<V>(text: string, values: Readonly<Record<string, V>> = {}): (string | V)[] {
  return text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 1 ? (values[part] ?? '') : part));
}
