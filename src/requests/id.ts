import { NotFound } from '../errors';

/** The number of a thing named in a path; anything that cannot be an id names nothing, so it is "not found". */
export function readId(text: string, what: string): number {
  const id = parseId(text);
  if (id === null) throw new NotFound(`the ${what}`);
  return id;
}

/** The same for an id in a body: null when the text is no positive whole number that can be an id. */
export function parseId(text: string): number | null {
  if (!/^[0-9]{1,16}$/.test(text)) return null;
  const id = Number(text);
  return id > 0 && Number.isSafeInteger(id) ? id : null;
}
