import type { Request } from 'express';
import { type Html, html } from '../../platform/html';
import { GERMAN } from './german';

/** English; a text without a German one does not compile. */
type Text = keyof typeof GERMAN;
export type PlainText = Exclude<Text, `${string}{${string}`>;

const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type ValuesOf<T extends string, V> = [NamesIn<T>] extends [never] ? [] : [values: Record<NamesIn<T>, V>];

/** The texts of the pages in one language. */
export class Words {
  constructor(readonly language: Language) {}

  /** `{name}` is replaced. Not yet escaped. */
  t<T extends Text>(text: T, ...[values]: ValuesOf<T, string>): string {
    return partsOf<string>(this.said(text), values).join('');
  }

  /** Takes HTML as values, otherwise like `t`. Escapes the text and plain values. */
  tx<T extends Text>(text: T, ...[values]: ValuesOf<T, string | Html>): Html {
    return html`${partsOf<string | Html>(this.said(text), values).map((part) => html`${part}`)}`;
  }

  /** Translates a text such as an error's message; unchanged if there is no translation. */
  said(text: string): string {
    return this.language === 'de' && Object.hasOwn(GERMAN, text) ? GERMAN[text as Text] : text;
  }

  day(ms: number): string {
    const locale = this.language === 'de' ? 'de-DE' : 'en-GB';
    return new Date(ms).toLocaleDateString(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  }
}

/** Chooses the browser's preferred language of those that there are, otherwise English. */
export function wordsFor(request: Request): Words {
  const [first] = LANGUAGES;
  return new Words(LANGUAGES.find((one) => one === request.acceptsLanguages(...LANGUAGES)) ?? first);
}

function partsOf<V>(text: string, values: Readonly<Record<string, V>> = {}): (string | V)[] {
  return text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 1 ? (values[part] ?? '') : part));
}
