import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'secrets.key';
const BYTES = 32;

/** The setting, else the file `secrets.key`, which is created if missing. Concurrent processes get the same key. */
export function readSecretsKey({ secretsKey, dataDir }: { secretsKey: string | undefined; dataDir: string }): Buffer {
  if (secretsKey !== undefined) return decode(secretsKey, 'SECRETS_KEY');
  const file = join(dataDir, FILE);
  return decode(readIfThere(file) ?? make(dataDir, file), file);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes another file first, so that no process reads a partial one. Linking fails if another process was faster. */
function make(dataDir: string, file: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, randomBytes(BYTES).toString('hex'), { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    unlinkSync(draft);
  }
  return readFileSync(file, 'utf8');
}

function decode(text: string, place: string): Buffer {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, /^[0-9a-f]{64}$/i.test(trimmed) ? 'hex' : 'base64');
  if (key.length !== BYTES) throw new Error(`${place} must hold ${BYTES} bytes`);
  return key;
}
