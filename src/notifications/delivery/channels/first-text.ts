/** Replaces invalid UTF-8 by U+FFFD. Leaves out a character that the limit cuts. */
export function firstText(chunks: readonly Buffer[], bytes: number): string {
  const all = Buffer.concat(chunks);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return decoder.decode(all.subarray(0, bytes), { stream: all.length > bytes });
}
