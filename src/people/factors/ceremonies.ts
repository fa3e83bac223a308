import type { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import type { Passkey } from '../../storage/models/passkey.model';

/** What the browser makes of a credential: `PublicKeyCredential.toJSON()`. */
export type Assertion = Parameters<typeof verifyAuthenticationResponse>[0]['response'];
type Attestation = Parameters<typeof verifyRegistrationResponse>[0]['response'];

export type NewPasskey = Pick<Passkey, 'credentialId' | 'publicKey' | 'transports' | 'counter'>;

/** Uses a challenge up; false if it was not issued. */
type TakeChallenge = (challenge: string) => Promise<boolean>;

/** Loaded at its first use: with its certificates it is an eighth of the time that a process takes to start. */
const library = () => import('@simplewebauthn/server');

/** WebAuthn for the platform at this address. The authenticator always verifies its user: it is a second factor by itself. */
export class Ceremonies {
  private readonly url: URL;

  constructor(publicUrl: string) {
    this.url = new URL(publicUrl);
  }

  async creationOptions({ uuid, username }: { uuid: string; username: string }, known: readonly Passkey[]) {
    const { generateRegistrationOptions } = await library();
    return generateRegistrationOptions({
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

  async requestOptions() {
    const { generateAuthenticationOptions } = await library();
    return generateAuthenticationOptions({ rpID: this.url.hostname, userVerification: 'required' });
  }

  /** Null if the browser's answer is wrong in any way. Passes on what `take` throws. */
  async verifyCreation(answer: unknown, take: TakeChallenge): Promise<NewPasskey | null> {
    const { verifyRegistrationResponse } = await library();
    const response = answer as Attestation; // checked by the library, which throws
    const { verified, registrationInfo } = await this.verify(take, (expected) =>
      verifyRegistrationResponse({ response, ...expected }),
    );
    if (!verified || !registrationInfo) return null;
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

  /** Returns the new counter, null if the answer is wrong in any way. Passes on what `take` throws. */
  async verifyRequest(answer: unknown, passkey: Passkey, take: TakeChallenge): Promise<number | null> {
    const { credentialId: id, publicKey, counter } = passkey;
    const credential = { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: Number(counter) };
    const { verifyAuthenticationResponse } = await library();
    const response = answer as Assertion; // checked by the library, which throws
    const { verified, authenticationInfo } = await this.verify(take, (expected) =>
      verifyAuthenticationResponse({ response, credential, ...expected }),
    );
    return verified ? (authenticationInfo?.newCounter ?? null) : null;
  }

  private async verify<T extends { verified: boolean }>(
    take: TakeChallenge,
    check: (expected: ReturnType<Ceremonies['expected']>) => Promise<T>,
  ): Promise<T | { verified: false; registrationInfo?: undefined; authenticationInfo?: undefined }> {
    let failure: unknown;
    const taking = (challenge: string) =>
      take(challenge).catch((error: unknown) => {
        failure = error;
        return false;
      });
    try {
      return await check(this.expected(taking));
    } catch {
      if (failure) throw failure;
      return { verified: false };
    }
  }

  private expected(expectedChallenge: TakeChallenge) {
    const place = { expectedOrigin: this.url.origin, expectedRPID: this.url.hostname };
    return { ...place, expectedChallenge, requireUserVerification: true };
  }
}

function readTransports(transports: string) {
  type Transports = NonNullable<NonNullable<Attestation['response']['transports']>>;
  return (transports === '' ? [] : transports.split(',')) as Transports; // as the browser named them
}
