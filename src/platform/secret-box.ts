import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts secrets that must be readable again: an HMAC cannot be checked with a hash. The owner is part of a sealed
 * secret: its row is useless in the place of another.
 */
export class SecretBox {
  private key: Buffer | undefined;
  private signingKey: Buffer | undefined;

  /** `readKey` returns 32 bytes, and is called for the first secret. */
  constructor(private readonly readKey: () => Buffer) {}

  /** Returns letters, digits, `-` and `_`. */
  seal(secret: string, owner: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.getKey(), iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(owner));
    const content = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), content]).toString('base64url');
  }

  static bytesIn(sealed: string): number {
    return Buffer.byteLength(sealed, 'base64url') - IV_BYTES - TAG_BYTES;
  }

  /** Throws if the secret was sealed with another key or for another owner. */
  open(sealed: string, owner: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    const iv = bytes.subarray(0, IV_BYTES);
    const decipher = createDecipheriv(ALGORITHM, this.getKey(), iv, { authTagLength: TAG_BYTES });
    try {
      decipher.setAAD(Buffer.from(owner));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      throw new Error('a stored secret cannot be decrypted: was SECRETS_KEY, or the file in DATA_DIR, replaced?');
    }
  }

  /** Seals JSON that is void from this time on. */
  sealUntil(content: object, owner: string, untilMs: number): string {
    return this.seal(JSON.stringify({ content, untilMs }), owner);
  }

  /** Undefined for a text that is void, or that this box has not sealed for the owner. */
  openUntil<T extends object>(sealed: string, owner: string, nowMs: number): T | undefined {
    try {
      const { content, untilMs } = JSON.parse(this.open(sealed, owner));
      return untilMs > nowMs ? content : undefined;
    } catch {
      return undefined;
    }
  }

  /** An HMAC of 32 bytes with a key that only the platform has. */
  sign(text: string): Buffer {
    // A key of its own, so that signatures say nothing about the key that encrypts.
    this.signingKey ??= createHmac('sha256', this.getKey()).update('signatures').digest();
    return createHmac('sha256', this.signingKey).update(text).digest();
  }

  private getKey(): Buffer {
    this.key ??= this.readKey();
    return this.key;
  }
}
