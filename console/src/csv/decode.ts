import { t } from '../language';

const UTF_16_LE = [0xff, 0xfe] as const;
const UTF_16_BE = [0xfe, 0xff] as const;
const GZIP = [0x1f, 0x8b] as const;
/** How archives begin, which the workbooks of Excel and LibreOffice are. */
const ZIP = [0x50, 0x4b, 0x03] as const;
/** How workbooks of before 2007 begin. */
const OLD_WORKBOOK = [0xd0, 0xcf, 0x11, 0xe0] as const;
const PDF = [0x25, 0x50, 0x44, 0x46] as const;

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte);
}

/** The text of a file: UTF-16 if it begins with a byte order mark, otherwise UTF-8, or Windows-1252 if it is not valid UTF-8. */
export function decode(bytes: Uint8Array): string {
  if (startsWith(bytes, OLD_WORKBOOK))
    throw new Error(t('This is a workbook of an old Excel. Save it as XLSX or CSV.'));
  if (startsWith(bytes, PDF)) throw new Error(t('This is a PDF. Save the table as CSV.'));
  if (startsWith(bytes, UTF_16_LE)) return new TextDecoder('utf-16le').decode(bytes);
  if (startsWith(bytes, UTF_16_BE)) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

export function isWorkbook(bytes: Uint8Array): boolean {
  return startsWith(bytes, ZIP);
}

/** The content of a file that may be packed by gzip. Throws if it unpacks to more than `mostBytes`. */
export async function unpacked(bytes: Uint8Array<ArrayBuffer>, mostBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (!startsWith(bytes, GZIP)) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.length;
      if (size > mostBytes) throw new TooLarge();
      parts.push(part.value);
    }
  } catch (error) {
    void reader.cancel().catch(() => undefined);
    if (error instanceof TooLarge) throw new Error(t('The file unpacks to too much. Split it.'));
    throw new Error(t('The file cannot be unpacked.'));
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

class TooLarge extends Error {}
