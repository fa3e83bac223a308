/** The key of a body that is left as bytes. */
export const BYTES = Symbol('bytes');

/** The bytes of such a body. */
export function bytesOf(body: object): Buffer {
  const bytes: unknown = Reflect.get(body, BYTES);
  return Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0);
}
