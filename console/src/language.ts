import type { ComponentChildren } from 'preact';
import type german from '../languages/de.json';

/** An English text of the console. Each has its translations in `languages/`; a text without them does not compile. */
export type Text = keyof typeof german;
/** A text without values. */
export type PlainText = Exclude<Text, `${string}{${string}`>;

const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];
const STORED = 'language';

/** Languages are written in themselves. */
export const LANGUAGE_NAMES = [
  ['en', 'English'],
  ['de', 'Deutsch'],
] as const satisfies readonly (readonly [Language, string])[];

/** The translations of a language by their English texts. */
export type Translations = Readonly<Record<string, string>>;

/** The language of the console: the user's choice, otherwise the first one of the browser that it has. */
export const LANGUAGE: Language = chosenLanguage() ?? browserLanguages().map(shortOf).find(isLanguage) ?? 'en';

/** The locale of dates and numbers: the language of the console and the region of the browser, such as `de-AT`. */
export const LOCALE = localeOf(LANGUAGE, browserLanguages()[0]);

let translations: Translations = {};

/** Called once, before the first page is loaded. */
export function setTranslations(loaded: Translations): void {
  translations = loaded;
}

/** The translations, for a worker: it loads nothing. */
export function loadedTranslations(): Translations {
  return translations;
}

/** The user's choice; undefined if the browser decides. */
export function chosenLanguage(): Language | undefined {
  const stored = globalThis.localStorage?.getItem(STORED) ?? '';
  return isLanguage(stored) ? stored : undefined;
}

/** Stores the choice, and loads the console again. */
export function chooseLanguage(language: Language | undefined): void {
  if (language) globalThis.localStorage.setItem(STORED, language);
  else globalThis.localStorage.removeItem(STORED);
  window.location.reload();
}

type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type ValuesOf<T extends string, V> = [NamesIn<T>] extends [never] ? [] : [values: Record<NamesIn<T>, V>];

/**
 * A text in the language of the user. `{name}` is replaced by the value of this name; numbers are written as in the
 * user's locale. A text with two meanings names the meaning after a bar, which is not shown: `Open|verb`.
 */
export function t<T extends Text>(text: T, ...[values]: ValuesOf<T, string | number>): string {
  return partsOf<string | number>(text, values).join('');
}

/** A text of the platform, such as the description of an event, in the language of the user if it has the text. */
export function said(text: string): string {
  return translations[text] ?? text;
}

/** The same as `t`, with elements as values. */
export function tx<T extends Text>(text: T, ...[values]: ValuesOf<T, ComponentChildren>): ComponentChildren[] {
  return partsOf<ComponentChildren>(text, values);
}

/** One of two texts, by the number `n`, which is a value of both. */
export function many<T extends Text, U extends Text>(
  n: number,
  one: T,
  other: U,
  ...[values]: ValuesWithout<'n', T | U>
): string {
  return partsOf(n === 1 ? one : other, { ...values, n }).join('');
}

type ValuesWithout<N extends string, T extends string> = [Exclude<NamesIn<T>, N>] extends [never]
  ? []
  : [values: Record<Exclude<NamesIn<T>, N>, string | number>];

function partsOf<V>(text: Text, values: Readonly<Record<string, V>> = {}): (string | V)[] {
  const said = translations[text] ?? text.replace(/\|[^|]*$/, '');
  return said.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 1 ? written(values[part], part) : part));
}

const numbers = new Intl.NumberFormat(LOCALE);

function written<V>(value: V | undefined, name: string): string | V {
  if (value === undefined) return `{${name}}`;
  return typeof value === 'number' ? numbers.format(value) : value;
}

function browserLanguages(): readonly string[] {
  return globalThis.navigator?.languages ?? [];
}

function shortOf(locale: string): string {
  return locale.slice(0, 2).toLowerCase();
}

function isLanguage(text: string): text is Language {
  return LANGUAGES.some((language) => language === text);
}

function localeOf(language: Language, browser = language as string): string {
  if (shortOf(browser) === language) return browser;
  const { region } = new Intl.Locale(browser).maximize();
  return region ? `${language}-${region}` : language;
}
