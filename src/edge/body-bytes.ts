export const BYTES = Symbol('bytes');

/** `charset` is a name. */
export interface BodyBytes {
  bytes: Buffer;
  charset: string;
}

export function bytesOf(body: object): BodyBytes {
  return (body as { [BYTES]?: BodyBytes })[BYTES] ?? { bytes: Buffer.alloc(0), charset: 'utf-8' }; // only our reader sets it
}
