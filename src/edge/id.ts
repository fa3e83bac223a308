import { InvalidInput, NotFound } from '../platform/errors';

/** Decimal digits; null for other texts. */
export function parseId(text: string): number | null {
  if (!/^[0-9]{1,16}$/.test(text)) return null;
  const id = Number(text);
  return id > 0 && Number.isSafeInteger(id) ? id : null;
}

/** Throws NotFound for a text that cannot be an id: it names nothing. */
export function readId(text: string, what: string): number {
  const id = parseId(text);
  if (id === null) throw new NotFound(`the ${what}`);
  return id;
}

/** The id in a field that may be absent. Throws InvalidInput with the reason for a text that cannot be an id. */
export function readGivenId(text: string | undefined, field: string, why: string): number | undefined {
  if (text === undefined) return undefined;
  const id = parseId(text);
  if (id === null) throw InvalidInput.field(field, why);
  return id;
}
