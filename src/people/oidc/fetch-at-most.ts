/** The limit of an answer. Keys and tokens have some kilobytes. */
const MOST_BYTES = 1_000_000;
const EMPTY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Fetches a whole answer of the provider. Throws TypeError, as `fetch` does, for one that is too long. */
export async function fetchAtMost(address: string, options: object): Promise<Response> {
  const response = await fetch(address, options);
  const { status, headers, body } = response;
  if (!body || EMPTY.has(status)) return response;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.byteLength;
    if (bytes > MOST_BYTES) throw new TypeError(`an answer of the provider has more than ${MOST_BYTES} bytes`);
    parts.push(part);
  }
  return new Response(Buffer.concat(parts), { status, headers });
}
