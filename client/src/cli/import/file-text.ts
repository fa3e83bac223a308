import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createGunzip } from 'node:zlib';
import { SourceError } from './source';

export interface SourceFile {
  path: string;
  /** Below the folder that was given, with slashes. */
  name: string;
  bytes: number;
  changedMs: number;
}

/** A file, or all files below a folder whose names match `fits`, in order. Throws SourceError for a folder without such files. */
export async function filesAt(path: string, fits: RegExp): Promise<SourceFile[]> {
  const found = await stat(path);
  if (!found.isDirectory()) {
    return [{ path, name: path.split(/[\\/]/).at(-1) ?? path, bytes: found.size, changedMs: found.mtimeMs }];
  }
  const names = await readdir(path, { recursive: true });
  const files: SourceFile[] = [];
  for (const name of names.filter((one) => fits.test(one)).sort()) {
    const full = join(path, name);
    const info = await stat(full);
    if (!info.isFile()) continue;
    const below = relative(path, full).replaceAll('\\', '/');
    files.push({ path: full, name: below, bytes: info.size, changedMs: info.mtimeMs });
  }
  if (files.length === 0) throw new SourceError(path, 'no file in this folder can be read by this import');
  return files;
}

/** Differs if one of the files was changed, was added or is missing, or is read in another way. */
export function identityOf(files: readonly SourceFile[], how: object): string {
  const each = files.map(({ name, bytes, changedMs }) => `${name} ${bytes} ${Math.floor(changedMs)}`);
  return [...each, JSON.stringify(how)].join('\n');
}

/**
 * The text of a file in pieces, unpacked if its name ends in `.gz`. Throws SourceError for text that is not UTF-8, and for
 * a file that ends too early.
 */
export async function* piecesOf(file: SourceFile, onBytes: (bytes: number) => void): AsyncGenerator<string> {
  const stream = createReadStream(file.path, { highWaterMark: 262_144 });
  stream.on('data', (chunk) => onBytes(chunk.length));
  const unpacked = /\.gz$/i.test(file.path) ? stream.pipe(createGunzip()) : stream;
  stream.on('error', (error) => unpacked.destroy(error));
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of unpacked) yield decoder.decode(chunk as Buffer, { stream: true });
    yield decoder.decode();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw new SourceError(file.path, 'is not text in UTF-8');
    if (code?.startsWith('Z_')) throw new SourceError(file.path, 'is no complete file of gzip');
    throw error;
  } finally {
    stream.destroy();
  }
}

export interface TextLines {
  /** Complete lines; the last one may have no line break at the end of the file. */
  text: string;
  /** The number of the first line. */
  line: number;
}

/** Longest line, also of one with line breaks in quotes, as in the API. */
export const MAX_LINE = 400_000;

/**
 * Divides a text between lines, never inside of quotes. Throws SourceError for a line that is too long.
 */
export async function* wholeRecords(file: SourceFile, pieces: AsyncIterable<string>): AsyncGenerator<TextLines> {
  let [rest, line] = ['', 1];
  for await (const piece of pieces) {
    rest += piece;
    const end = endOfRecords(rest);
    if (rest.length - end > MAX_LINE) throw tooLong(file, line);
    if (end === 0) continue;
    yield { text: rest.slice(0, end), line };
    line += lineBreaksIn(rest.slice(0, end));
    rest = rest.slice(end);
  }
  if (rest !== '') yield { text: rest, line };
}

/** Lines, whatever is in them. Throws SourceError for one that is too long. */
export async function* linesOf(file: SourceFile, pieces: AsyncIterable<string>): AsyncGenerator<string[]> {
  let [rest, line] = ['', 1];
  for await (const piece of pieces) {
    const lines = `${rest}${piece}`.split('\n');
    rest = lines.pop() ?? '';
    line += lines.length;
    if (rest.length > MAX_LINE) throw tooLong(file, line);
    if (lines.length > 0) yield lines;
  }
  if (rest !== '') yield [rest];
}

export function tooLong(file: SourceFile, line: number): SourceError {
  return new SourceError(
    `${file.path}:${line}`,
    `a line of more than ${MAX_LINE} characters, or a quote without an end`,
  );
}

/** Behind the last line break that is not in quotes. */
function endOfRecords(text: string): number {
  let [end, inQuotes] = [0, false];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34) inQuotes = !inQuotes;
    else if (code === 10 && !inQuotes) end = at + 1;
  }
  return end;
}

function lineBreaksIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
