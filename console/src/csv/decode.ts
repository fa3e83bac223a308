const UTF_16_LE = [0xff, 0xfe] as const;
const UTF_16_BE = [0xfe, 0xff] as const;

/** The text of a file: UTF-16 where it begins with a byte order mark, else UTF-8, and what is neither as Windows writes it. */
export function decode(bytes: Uint8Array): string {
  const startsWith = ([first, second]: readonly [number, number]) => bytes[0] === first && bytes[1] === second;
  if (startsWith(UTF_16_LE)) return new TextDecoder('utf-16le').decode(bytes);
  if (startsWith(UTF_16_BE)) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
