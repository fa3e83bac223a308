import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { isRecord } from '../platform/is-record';

const COST = { N: 2 ** 16, r: 8, p: 1 };
const MEMORY = 256 * 1024 * 1024;
const ALGORITHM = 'aes-256-gcm';
const [KEY_BYTES, SALT_BYTES, IV_BYTES] = [32, 16, 12];
/** Shorter ones could be guessed. */
const TAG = { authTagLength: 16 };

/** A key that only the passphrase gives, in the form in which an export keeps it. */
export interface DerivedKey {
  salt: string;
  key: string;
}

export async function deriveKey(passphrase: string): Promise<DerivedKey> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(passphrase, salt, COST);
  return { salt: salt.toString('base64'), key: key.toString('base64') };
}

/** JSON with all that opens it but the passphrase. */
export function encrypt(text: string, { salt, key }: DerivedKey): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, Buffer.from(key, 'base64'), iv);
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const parameters = { kdf: 'scrypt', ...COST, salt, cipher: ALGORITHM, iv: iv.toString('base64') };
  const sealed = { ...parameters, tag: cipher.getAuthTag().toString('base64'), content: content.toString('base64') };
  return `${JSON.stringify(sealed, undefined, 2)}\n`;
}

/** Undefined for another passphrase, or for what `encrypt` has not written. */
export async function decrypt(sealed: unknown, passphrase: string): Promise<string | undefined> {
  if (!isRecord(sealed)) return undefined;
  const { N, r, p, salt, iv, tag, content } = sealed;
  // Other costs could take any time.
  if (N !== COST.N || r !== COST.r || p !== COST.p) return undefined;
  try {
    const [given, nonce, proof, bytes] = [salt, iv, tag, content].map((one) => Buffer.from(String(one), 'base64'));
    if (!given || !nonce || !proof || !bytes) return undefined;
    const decipher = createDecipheriv(ALGORITHM, await derive(passphrase, given, COST), nonce, TAG);
    decipher.setAuthTag(proof);
    return Buffer.concat([decipher.update(bytes), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function derive(passphrase: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, key: Buffer) => (error ? reject(error) : resolve(key));
    scrypt(passphrase.normalize('NFC'), salt, KEY_BYTES, { ...cost, maxmem: MEMORY }, done);
  });
}
