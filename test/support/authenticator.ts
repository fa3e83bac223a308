import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const VERIFIED = 0x05;
const WITH_CREDENTIAL = 0x40;

/** An authenticator that has verified its user (WebAuthn, ES256), for one passkey of a platform at `origin`. */
export class Authenticator {
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private readonly credentialId = randomBytes(16);

  constructor(private readonly origin: string) {}

  /** The answer to the options of a new passkey. */
  create(challenge: string) {
    const length = Buffer.from([0, this.credentialId.length]);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.credentialId, this.publicKey()]);
    const data = this.data(VERIFIED | WITH_CREDENTIAL, credential);
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'), // {fmt: none, attStmt: {}, authData}
      Buffer.from([data.length]),
      data,
    ]);
    const clientDataJSON = this.clientData('webauthn.create', challenge);
    return this.answer({ clientDataJSON, attestationObject: attestation });
  }

  /** The answer to the options of a login. */
  get(challenge: string) {
    const [clientDataJSON, authenticatorData] = [this.clientData('webauthn.get', challenge), this.data(VERIFIED)];
    const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientDataJSON).digest()]);
    return this.answer({ clientDataJSON, authenticatorData, signature: sign('sha256', signed, this.keys.privateKey) });
  }

  private answer(response: Record<string, Buffer>) {
    const id = this.credentialId.toString('base64url');
    const texts = Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')] as const);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response: Object.fromEntries(texts) };
  }

  private clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }

  /** Counts no signatures, as synchronised passkeys do. */
  private data(flags: number, credential = Buffer.alloc(0)): Buffer {
    const place = createHash('sha256').update(new URL(this.origin).hostname).digest();
    return Buffer.concat([place, Buffer.from([flags, 0, 0, 0, 0]), credential]);
  }

  /** As a COSE key. */
  private publicKey(): Buffer {
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' });
    return Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
  }
}
