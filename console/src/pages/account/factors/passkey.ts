import { api, ask } from '../../../api';
import { t } from '../../../language';
import { sessionStarted } from '../../../session';

export const HAS_PASSKEYS = typeof PublicKeyCredential !== 'undefined';

type Json = Record<string, unknown>;

/** Lets the browser make a passkey; returns what the platform checks. */
export async function makePasskey(options: unknown): Promise<Json> {
  const read = PublicKeyCredential.parseCreationOptionsFromJSON ?? readOptions;
  const publicKey = read(options as PublicKeyCredentialCreationOptionsJSON) as PublicKeyCredentialCreationOptions;
  return written(await chosen(navigator.credentials.create({ publicKey })));
}

/** Signs in by a passkey that the user chooses. */
export async function signInByPasskey(): Promise<void> {
  const asked: unknown = (await ask(api.post('/login/passkey/options'))).options;
  const read = PublicKeyCredential.parseRequestOptionsFromJSON ?? readOptions;
  const publicKey = read(asked as PublicKeyCredentialRequestOptionsJSON) as PublicKeyCredentialRequestOptions;
  const credential = written(await chosen(navigator.credentials.get({ publicKey })));
  await ask(api.post('/login/passkey', { body: { credential } }));
  await sessionStarted();
}

/** Browsers say in many words, and in English, that the user cancelled. */
async function chosen(asking: Promise<Credential | null>): Promise<PublicKeyCredential> {
  const credential = await asking.catch(() => null);
  if (credential instanceof PublicKeyCredential) return credential;
  throw new Error(t('No passkey was chosen.'));
}

/** For browsers from before 2025. */
function readOptions(options: object): object {
  const {
    challenge,
    user,
    excludeCredentials = [],
    ...rest
  } = options as {
    challenge: string;
    user?: { id: string };
    excludeCredentials?: { id: string }[];
  };
  return {
    ...rest,
    challenge: toBytes(challenge),
    ...(user && { user: { ...user, id: toBytes(user.id) } }),
    excludeCredentials: excludeCredentials.map((one) => ({ ...one, id: toBytes(one.id) })),
  };
}

function written(credential: PublicKeyCredential): Json {
  if (typeof credential.toJSON === 'function') return { ...credential.toJSON() };
  const names = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'];
  const parts = names.flatMap((name) => {
    const value: unknown = Reflect.get(credential.response, name);
    return value instanceof ArrayBuffer ? [[name, toText(value)]] : [];
  });
  const { id, type } = credential;
  return { id, rawId: id, type, response: Object.fromEntries(parts), clientExtensionResults: {} };
}

function toBytes(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0));
}

function toText(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}
