import { t } from '../language';

const UTF_16_LE = [0xff, 0xfe] as const;
const UTF_16_BE = [0xfe, 0xff] as const;
/** How archives begin, which the files of Excel and LibreOffice are. */
const ZIP = [0x50, 0x4b] as const;

/**
 * The text of a file; an error for a workbook: UTF-16 if it begins with a byte order mark, otherwise UTF-8, or Windows-1252 if it is not valid
 * UTF-8.
 */
export function decode(bytes: Uint8Array): string {
  const startsWith = ([first, second]: readonly [number, number]) => bytes[0] === first && bytes[1] === second;
  if (startsWith(ZIP) && bytes[2] === 3)
    throw new Error(t('This is a workbook or an archive. Save it as CSV, then upload that file.'));
  if (startsWith(UTF_16_LE)) return new TextDecoder('utf-16le').decode(bytes);
  if (startsWith(UTF_16_BE)) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
