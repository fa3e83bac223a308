import type { Readable } from 'node:stream';

const STREAM = Symbol('stream');

/** The body of an operation that reads it as it arrives. */
export function arrivingBody(stream: Readable): object {
  return { [STREAM]: stream };
}

/** Undefined for a body that was read. */
export function streamOf(body: object): Readable | undefined {
  return (body as { [STREAM]?: Readable })[STREAM]; // only `arrivingBody` sets it
}
