import { type Html, html } from '../html';
import { GERMAN, GERMAN_WRITTEN } from './german';
import { ENGLISH, type Language, LOCALES, preferredLanguage } from './language';
import { translate } from './translate';

/** English; a text without a German one does not compile. */
export type Text = keyof typeof GERMAN;
export type PlainText = Exclude<Text, `${string}{${string}`>;

type NamesIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type ValuesOf<T extends string, V> = [NamesIn<T>] extends [never] ? [] : [values: Record<NamesIn<T>, V>];

const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.(\d+))?$/;
/** A double is exact for any number of at most this many digits. */
const EXACT_DIGITS = 15;
/** Numbers from here on are grouped. */
const GROUPED = 10_000;

/** The platform's texts for people, in one language: in mails, on pages and in errors. */
export class Words {
  private constructor(readonly language: Language) {}

  private static readonly all: Readonly<Record<Language, Words>> = { en: new Words('en'), de: new Words('de') };

  static readonly english = Words.all[ENGLISH];

  /** By `Accept-Language`; English without it. */
  static preferredBy(header: string | undefined): Words {
    return Words.in(preferredLanguage(header));
  }

  /** English for a reader who has chosen no language. */
  static in(language: Language | null | undefined): Words {
    return Words.all[language ?? ENGLISH];
  }

  /** `{name}` is replaced. Not escaped. */
  t<T extends Text>(text: T, ...[values]: ValuesOf<T, string | number>): string {
    return partsOf<string | number>(this.textOf(text), values).join('');
  }

  /** Takes HTML as values, otherwise like `t`. Escapes the text and plain values. */
  tx<T extends Text>(text: T, ...[values]: ValuesOf<T, string | Html>): Html {
    return html`${partsOf<string | Html>(this.textOf(text), values).map((part) => html`${part}`)}`;
  }

  /** Translates a written text such as an error's message, with its values; unchanged if there is no translation. */
  said(text: string): string {
    return this.language === 'de' ? translate(text, GERMAN_WRITTEN) : text;
  }

  /** `21 November 2026`, in UTC. */
  day(ms: number): string {
    const fields = { day: 'numeric', month: 'long', year: 'numeric' } as const;
    return new Date(ms).toLocaleDateString(LOCALES[this.language], { ...fields, timeZone: 'UTC' });
  }

  /** Writes a plain decimal number with the marks of the language, a minus sign and all its decimals; other texts are unchanged. */
  number(text: string): string {
    const plain = text.length > EXACT_DIGITS + '-.'.length ? null : PLAIN_NUMBER.exec(text);
    if (!plain || text.replace(/\D/g, '').length > EXACT_DIGITS) return text;
    const number = Number(text);
    const decimals = plain[1]?.length ?? 0;
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    const shown = { ...digits, useGrouping: Math.abs(number) >= GROUPED };
    return number.toLocaleString(LOCALES[this.language], shown).replace('-', '−');
  }

  private textOf(text: Text): string {
    return this.language === 'de' ? GERMAN[text] : text;
  }
}

function partsOf<V>(text: string, values: Readonly<Record<string, V>> = {}): (string | V)[] {
  return text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 1 ? (values[part] ?? '') : part));
}
