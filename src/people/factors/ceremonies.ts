import type { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import type { Passkey } from '../../storage/models/passkey.model';
import type { User } from '../../storage/models/user.model';

/** What the browser makes of a credential: `PublicKeyCredential.toJSON()`. */
export type Assertion = Parameters<typeof verifyAuthenticationResponse>[0]['response'];
type Attestation = Parameters<typeof verifyRegistrationResponse>[0]['response'];

type Challenge = Uint8Array<ArrayBuffer>;

export type NewPasskey = Pick<Passkey, 'credentialId' | 'publicKey' | 'transports' | 'counter'>;

/** What a browser may have signed. */
export interface Signable {
  isIssued(challenge: string): boolean;
  /** False if it is used up. */
  use(challenge: string): Promise<boolean>;
}

interface Verified {
  verified: boolean;
}

/** Loaded at its first use: with its certificates it is an eighth of the time that a process takes to start. */
const library = () => import('@simplewebauthn/server');

/** WebAuthn. The authenticator always verifies its user. */
export class Ceremonies {
  private readonly url: URL;

  constructor(publicUrl: string) {
    this.url = new URL(publicUrl);
  }

  async creationOptions(
    { uuid, username }: Pick<User, 'uuid' | 'username'>,
    known: readonly Passkey[],
    challenge: Challenge,
  ) {
    const { generateRegistrationOptions } = await library();
    return generateRegistrationOptions({
      challenge,
      rpName: this.url.host,
      rpID: this.url.hostname,
      userID: new TextEncoder().encode(uuid),
      userName: username,
      attestationType: 'none',
      excludeCredentials: known.map(({ credentialId: id, transports }) => ({
        id,
        transports: readTransports(transports),
      })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  }

  async requestOptions(challenge: Challenge) {
    const { generateAuthenticationOptions } = await library();
    return generateAuthenticationOptions({ challenge, rpID: this.url.hostname, userVerification: 'required' });
  }

  /** Null if the browser's answer is wrong in any way. */
  async verifyCreation(answer: unknown, signable: Signable): Promise<NewPasskey | null> {
    const { verifyRegistrationResponse } = await library();
    const response = answer as Attestation; // checked by the library, which throws
    const made = await this.verify(signable, (expected) => verifyRegistrationResponse({ response, ...expected }));
    if (!made?.registrationInfo) return null;
    const { registrationInfo } = made;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    const row = { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter };
    return {
      ...row,
      transports: transports
        .filter((name) => /^[\w-]{1,20}$/.test(name))
        .slice(0, 10)
        .join(),
    };
  }

  /** Returns the new counter, null if the answer is wrong in any way. */
  async verifyRequest(answer: unknown, passkey: Passkey, signable: Signable): Promise<number | null> {
    const { credentialId: id, publicKey, counter } = passkey;
    const credential = { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: Number(counter) };
    const { verifyAuthenticationResponse } = await library();
    const response = answer as Assertion; // checked by the library, which throws
    const signed = await this.verify(signable, (expected) =>
      verifyAuthenticationResponse({ response, credential, ...expected }),
    );
    return signed?.authenticationInfo.newCounter ?? null;
  }

  private async verify<T extends Verified>(
    signable: Signable,
    check: (expected: ReturnType<Ceremonies['expected']>) => Promise<T>,
  ): Promise<T | null> {
    let challenge = '';
    const isIssued = (signed: string) => {
      challenge = signed;
      return signable.isIssued(signed);
    };
    const result = await check(this.expected(isIssued)).catch(() => null);
    return result?.verified && (await signable.use(challenge)) ? result : null;
  }

  private expected(expectedChallenge: Signable['isIssued']) {
    const place = { expectedOrigin: this.url.origin, expectedRPID: this.url.hostname };
    return { ...place, expectedChallenge, requireUserVerification: true };
  }
}

function readTransports(transports: string) {
  type Transports = NonNullable<NonNullable<Attestation['response']['transports']>>;
  return (transports === '' ? [] : transports.split(',')) as Transports; // as the browser named them
}
