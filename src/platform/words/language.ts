/** The languages of the platform's texts; the first one is that of programs and of readers who have chosen none. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

export const ENGLISH = LANGUAGES[0];

/** The locales of dates and numbers. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

function isLanguage(text: unknown): text is Language {
  return LANGUAGES.some((language) => language === text);
}

/** The language that `Accept-Language` prefers among ours; undefined if the header is absent or names none of them. */
export function preferredLanguage(header: string | undefined): Language | undefined {
  const [best] = (header ?? '')
    .split(',')
    .map(readRange)
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  return best?.language;
}

/** One range of the header, `de-AT;q=0.8`. Other languages than ours have no quality. */
function readRange(range: string): { language?: Language; quality: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const language = tag.split('-')[0];
  if (!isLanguage(language)) return { quality: 0 };
  const given = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = given === undefined ? 1 : Number(given.slice('q='.length));
  return { language, quality: quality <= 1 ? quality : 0 }; // NaN is not either
}
