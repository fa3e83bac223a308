/** The id that a text spells in decimal digits, or null when it spells none. */
export function parseId(text: string): number | null {
  if (!/^[0-9]{1,16}$/.test(text)) return null;
  const id = Number(text);
  return id > 0 && Number.isSafeInteger(id) ? id : null;
}
