import { NotFound } from '../platform/errors';

/** The id that a text spells in decimal digits, or null when it spells none. */
export function parseId(text: string): number | null {
  if (!/^[0-9]{1,16}$/.test(text)) return null;
  const id = Number(text);
  return id > 0 && Number.isSafeInteger(id) ? id : null;
}

/** The number of a thing named in a path. A text that cannot be an id names nothing, so it is "not found". */
export function readId(text: string, what: string): number {
  const id = parseId(text);
  if (id === null) throw new NotFound(`the ${what}`);
  return id;
}
