import { isRecord } from '../../platform/is-record';
import type { PasskeyAnswer } from './passkeys.service';

/** The JSON of WebAuthn; documented in src/api/openapi/free-schemas.ts. */
export type PasskeyDocument = unknown;

/** A passkey that the browser made. */
export interface NewPasskeyRequest {
  /**
   * By which you recognise it.
   * @minLength 1
   * @maxLength 100
   * @example "Phone"
   */
  name: string;
  /**
   * The result of `navigator.credentials.create`, as its `toJSON` writes it.
   * @example {"id":"q8N3","rawId":"q8N3","type":"public-key","response":{"clientDataJSON":"e30","attestationObject":"o2M"},"clientExtensionResults":{}}
   */
  credential: PasskeyDocument;
}

/** A login by a passkey. */
export interface PasskeyLoginRequest {
  /**
   * The result of `navigator.credentials.get`, as its `toJSON` writes it.
   * @example {"id":"q8N3","rawId":"q8N3","type":"public-key","response":{"clientDataJSON":"e30","authenticatorData":"SZY","signature":"MEU"},"clientExtensionResults":{}}
   */
  credential: PasskeyDocument;
}

export function readAnswer({ credential }: PasskeyLoginRequest): PasskeyAnswer {
  return isRecord(credential) ? credential : {};
}
