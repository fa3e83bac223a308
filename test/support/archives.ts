import { gunzipSync } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import type { Platform, TestUser } from './platform';

/** The entries of a zip file by their names, unpacked; the data of sensors too. */
export type Entries = ReadonlyMap<string, string>;

/** Does the work of a worker until no export or import waits. */
export async function finishArchives({ container, query }: Platform): Promise<void> {
  for (let round = 0; round < 100; round += 1) {
    const waiting = await query('SELECT id FROM archives WHERE active');
    if (waiting.length === 0) return;
    for (const { id } of waiting) await container.archiveJobs.run(Number(id));
  }
  throw new Error('an export or import is not over after 100 rounds');
}

/** Makes an export, and returns its record once it is over. */
export async function makeExport(platform: Platform, { api }: TestUser, body: object = {}) {
  const created = await api.post('/exports', { export: body });
  if (created.status !== 201) throw new Error(`no export: ${JSON.stringify(created.body)}`);
  await finishArchives(platform);
  return (await api.get(`/exports/${created.body.export.id}`)).body.export;
}

/** The bytes of the file of an export. */
export async function downloadFile(
  { url }: Platform,
  { file }: { file: string },
  headers: Record<string, string> = {},
): Promise<Response> {
  const { pathname, search } = new URL(file);
  return fetch(url + pathname + search, { headers });
}

export async function exportedZip(platform: Platform, user: TestUser, body: object = {}): Promise<Buffer> {
  const made = await makeExport(platform, user, body);
  if (made.state !== 'done') throw new Error(`the export is ${made.state}: ${made.error}`);
  return Buffer.from(await (await downloadFile(platform, made)).arrayBuffer());
}

/** Reads with a library that checks sizes and names. */
export async function entriesOf(zip: Buffer): Promise<Entries> {
  const file = await fromBufferPromise(zip, { lazyEntries: true });
  const entries = new Map<string, string>();
  for await (const entry of file.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await file.openReadStreamPromise(entry)) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    entries.set(entry.fileName, String(entry.fileName.endsWith('.gz') ? gunzipSync(bytes) : bytes));
  }
  return entries;
}

/** The records of an entry with lines. */
// biome-ignore lint/suspicious/noExplicitAny: a test asserts on the shape; a type here would only repeat it
export function linesOf(entries: Entries, name: string): any[] {
  return (entries.get(name) ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Sends a file to be imported. */
export async function sendArchive(
  { url }: Pick<Platform, 'url'>,
  { session }: Pick<TestUser, 'session'>,
  zip: Buffer,
  passphrase?: string,
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on the shape; a type here would only repeat it
): Promise<{ status: number; body: any }> {
  const answer = await fetch(`${url}/imports`, {
    method: 'POST',
    headers: {
      ...{ 'X-SESSION_ID': session, 'Content-Type': 'application/zip' },
      ...(passphrase !== undefined && { 'X-Passphrase': encodeURIComponent(passphrase) }),
    },
    body: new Uint8Array(zip),
  });
  return { status: answer.status, body: await answer.json() };
}

/** Imports a file, and returns the record of the import once it is over. */
export async function makeImport(platform: Platform, user: TestUser, zip: Buffer, passphrase?: string) {
  const { status, body } = await sendArchive(platform, user, zip, passphrase);
  if (status !== 201) throw new Error(`no import: ${status} ${JSON.stringify(body)}`);
  await finishArchives(platform);
  return (await user.api.get(`/imports/${body.import.id}`)).body.import;
}

/** A zip file of these entries. */
export async function writeZip(entries: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
