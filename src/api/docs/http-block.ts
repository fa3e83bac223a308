import type { ExampleRequest } from './example-request';
import { PLACEHOLDERS } from './snippets';

const REQUEST = /^(GET|POST|PUT|DELETE) (\/\S*)$/;
const HEADER = /^([A-Za-z][\w-]*): (.*)$/;
const ANSWER = /^\d{3}(?: |$)/;
/** How guides write a key. */
const KEY = 'key_…';

interface Written {
  method: string;
  path: string;
  headers: [name: string, value: string][];
  body: string[];
  part: 'headers' | 'body' | 'answer';
}

/**
 * The requests in an `http` block of a guide. Each is a line with method and path, headers, the body, and the answer,
 * which begins with its status. Without headers it needs a key, unless its path has one. None if a header is not as it
 * is sent: guides show names and passwords before they are encoded.
 */
export function requestsIn(block: string): ExampleRequest[] {
  const requests: Written[] = [];
  for (const line of block.replaceAll(KEY, PLACEHOLDERS.key).split('\n')) {
    const [, method, path] = REQUEST.exec(line) ?? [];
    const last = requests.at(-1);
    if (method !== undefined && path !== undefined)
      requests.push({ method, path, headers: [], body: [], part: 'headers' });
    else if (last) readLine(last, line);
  }
  const isEncoded = requests.some(({ headers }) => headers.some(([, value]) => value.startsWith('Basic ')));
  return isEncoded ? [] : requests.map(toRequest);
}

function readLine(request: Written, line: string): void {
  const [, name, value] = request.part === 'headers' ? (HEADER.exec(line) ?? []) : [];
  if (ANSWER.test(line)) request.part = 'answer';
  else if (name !== undefined && value !== undefined) request.headers.push([name, value]);
  else if (request.part !== 'answer') {
    request.part = 'body';
    if (line !== '') request.body.push(line);
  }
}

function toRequest({ method, path, headers, body }: Written): ExampleRequest {
  // Requests with a key of their own are those of devices, in their protocols.
  const hasKey = headers.length > 0 || path.includes(PLACEHOLDERS.key);
  const text = body.join('\n');
  return {
    ...{ method, path, query: {}, isStream: false, headers, answersText: hasKey },
    credential: hasKey ? undefined : 'key',
    ...(/^[[{]/.test(text) ? { body: JSON.parse(text) } : text !== '' && { text }),
  };
}
