import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** Alternating names and values, in their original letter case. */
  rawHeaders: string[];
  bytes: Buffer;
  text: string;
}

export interface RawRequest {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
  /** Sends the body in chunks, without a Content-Length. */
  chunked?: boolean;
}

/** One request exactly as given: nothing is added, decoded or followed. The path may be anything. */
export function rawRequest(base: string, path: string, given: RawRequest = {}): Promise<RawResponse> {
  const { method = 'GET', headers = {}, body, chunked = false } = given;
  const { hostname, port } = new URL(base);
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const length = bytes && !chunked ? { 'Content-Length': bytes.length } : {};
  return new Promise((resolve, reject) => {
    const sending = request({ hostname, port, path, method, headers: { ...length, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      const finish = () => {
        const { statusCode: status = 0, headers, rawHeaders } = response;
        const bytes = Buffer.concat(chunks);
        resolve({ status, headers, rawHeaders, bytes, text: bytes.toString('utf8') });
      };
      // A stream has no end: what comes first is enough.
      const isStream = response.headers['content-type']?.startsWith('text/event-stream') && method !== 'HEAD';
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (!isStream) return;
        finish();
        sending.destroy();
      });
      response.once('error', reject);
      response.once('end', finish);
    });
    sending.setTimeout(60_000, () => sending.destroy(new Error('no response in time')));
    sending.once('error', reject);
    if (bytes && chunked) {
      const half = Math.ceil(bytes.length / 2);
      sending.write(bytes.subarray(0, half));
      sending.write(bytes.subarray(half));
      sending.end();
    } else sending.end(bytes);
  });
}

/** Writes text to the socket and reads until the server closes it: for requests that no client library would send. */
export function rawExchange(base: string, text: string): Promise<string> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let received = '';
    socket.setTimeout(90_000, () => socket.destroy(new Error('no response in time')));
    socket.on('data', (chunk) => {
      received += chunk.toString('utf8');
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(received));
  });
}
