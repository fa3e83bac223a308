/**
 * The first bytes of these chunks as text. Invalid UTF-8 is replaced by U+FFFD; a character that the limit cuts is left
 * out.
 */
export function firstText(chunks: readonly Buffer[], bytes: number): string {
  const all = Buffer.concat(chunks);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return decoder.decode(all.subarray(0, bytes), { stream: all.length > bytes });
}
