import { InvalidInput, PlatformError } from '../platform/errors';
import { BrokenText, readText, UnknownCharset } from './bytes-as-text';

export const BYTES = Symbol('bytes');

/** `charset` is a name. */
export interface BodyBytes {
  bytes: Buffer;
  charset: string;
}

/** Refuses invalid bytes. */
export function decodeBody({ bytes, charset }: BodyBytes): string {
  try {
    return readText(bytes, charset);
  } catch (error) {
    if (error instanceof UnknownCharset) throw new PlatformError(415, 'unreadable_charset', error.message);
    if (error instanceof BrokenText) throw new InvalidInput(`the body ${error.message}`, undefined, 'broken_encoding');
    throw error;
  }
}

/** A text as the body of an operation that reads bytes. */
export function bodyOf(text: string): object {
  return { [BYTES]: { bytes: Buffer.from(text), charset: 'utf-8' } satisfies BodyBytes };
}

export function bytesOf(body: object): BodyBytes {
  return (body as { [BYTES]?: BodyBytes })[BYTES] ?? { bytes: Buffer.alloc(0), charset: 'utf-8' }; // only our reader sets it
}
