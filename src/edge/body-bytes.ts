/** The key of a body that is left as bytes. */
export const BYTES = Symbol('bytes');

/** The bytes of a body, and the name of their charset. */
export interface BodyBytes {
  bytes: Buffer;
  charset: string;
}

/** The bytes of such a body. */
export function bytesOf(body: object): BodyBytes {
  return (body as { [BYTES]?: BodyBytes })[BYTES] ?? { bytes: Buffer.alloc(0), charset: 'utf-8' }; // only our reader sets it
}
