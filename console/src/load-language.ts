import german from '../languages/de.json?url';
import { LANGUAGE, type Language, setTranslations } from './language';

/** Where the translations of a language are; English has none. */
const FILES: Readonly<Partial<Record<Language, string>>> = { de: german };

/** Loads the translations of the user's language. Without them the console is English. */
export async function loadLanguage(): Promise<void> {
  const file = FILES[LANGUAGE];
  const answer = file === undefined ? undefined : await fetch(file).catch(() => undefined);
  if (!answer?.ok) return;
  document.documentElement.lang = LANGUAGE;
  setTranslations(await answer.json());
}
