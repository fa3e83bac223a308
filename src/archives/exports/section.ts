import { PIECE_BYTES } from '../knobs';

/** Where a section goes on: ids or instants, in its own meaning. */
export type Cursor = readonly number[];

/** Pieces of one entry, and where the next ones begin. */
export interface Pieces {
  entry: string;
  pieces: readonly { lines: number; text: Buffer }[];
  points?: number;
  cursor: Cursor;
}

/** What an export is about. */
export interface Exported {
  id: number;
  ownerId: number;
  createdMs: number;
  /** JSON, as the export was asked for. */
  options: string;
}

/** A part of an export: from a cursor on, or from the beginning. */
export type Section = (exported: Exported, cursor: Cursor | null) => AsyncIterable<Pieces>;

/** A page of records, and where the next one begins; undefined for no more. */
export interface RecordPage {
  records: readonly object[];
  next: Cursor | undefined;
}

/** Records as lines of JSON, page by page. */
export function lineSection(
  entry: string,
  readPage: (exported: Exported, cursor: Cursor | null) => Promise<RecordPage>,
): Section {
  return async function* read(exported, from) {
    for (let cursor = from; cursor?.[0] !== ENDED[0]; ) {
      const { records, next = ENDED }: RecordPage = await readPage(exported, cursor);
      if (records.length > 0) yield { entry, pieces: cut(records), cursor: next };
      cursor = next;
    }
  };
}

/** A whole entry in one piece; none without a text. */
export function textSection(entry: string, readText: (exported: Exported) => Promise<string | undefined>): Section {
  return async function* read(exported, from) {
    const text = from === null ? await readText(exported) : undefined;
    if (text === undefined) return;
    const bytes = Buffer.from(text);
    const pieces = [];
    for (let at = 0; at < bytes.length; at += PIECE_BYTES)
      pieces.push({ lines: 0, text: bytes.subarray(at, at + PIECE_BYTES) });
    yield { entry, pieces, cursor: ENDED };
  };
}

/** Nothing comes after it. */
const ENDED: Cursor = [Number.MAX_SAFE_INTEGER];

function cut(records: readonly object[]): Pieces['pieces'] {
  const pieces: { lines: number; text: Buffer }[] = [];
  let lines: string[] = [];
  let characters = 0;
  const end = () => {
    if (lines.length > 0) pieces.push({ lines: lines.length, text: Buffer.from(lines.join('')) });
    lines = [];
    characters = 0;
  };
  for (const record of records) {
    const line = `${JSON.stringify(record)}\n`;
    if (characters + line.length > PIECE_BYTES) end();
    lines.push(line);
    characters += line.length;
  }
  end();
  return pieces;
}
