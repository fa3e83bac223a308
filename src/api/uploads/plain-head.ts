import { SMALL_BYTES } from '../middlewares/body-reader';
import { type PlainUpload, plainUploadOf } from './plain-upload';

export interface PlainHead {
  /** The bytes before the body. */
  bytes: Buffer;
  upload: PlainUpload;
  bodyBytes: number;
}

/** A longer head, or one with more lines, is left to node, which has its own limits. */
const MOST_BYTES = 2_048;
const MOST_LINES = 50;
const END = '\r\n\r\n';
const START = /^POST (\/sensors\/(?:[0-9]+\/)?data(?:\.json)?) HTTP\/1\.1$/;
/** Visible ASCII without spaces at its ends. */
const FIELD = /^([A-Za-z][\w-]*): ([!-~](?:[ -~]*[!-~])?)$/;
const LENGTH = /^(?:0|[1-9][0-9]{0,4})$/;
/** Fields, except for the length, that affect where a request ends or what comes after it. */
const FRAMING = ['transfer-encoding', 'te', 'trailer', 'upgrade', 'expect', 'keep-alive', 'proxy-connection'];

/**
 * Recognizes a chunk that is exactly one plain upload: its head and its whole body, which is small. This is no parser
 * of HTTP (RFC 9112): it knows the one spelling of a head that all parsers read in the same way, each field once, with
 * a `Host` and a length in digits. Returns undefined for anything else, however valid.
 */
export function plainHeadOf(chunk: Buffer): PlainHead | undefined {
  const head = readHead(chunk);
  return head && isAllOf(head, chunk) ? head : undefined;
}

/** True if the chunk consists of that head and a body of its length. */
function isAllOf({ bytes, bodyBytes }: PlainHead, chunk: Buffer): boolean {
  return chunk.length === bytes.length + bodyBytes;
}

/** A device repeats its head, with one of a few lengths of the body. */
const REMEMBERED_HEADS = 4;

/**
 * Caches the latest heads of one connection: a repeated head is not parsed again, which would take ten times as long.
 */
export class PlainHeads {
  private readonly latest: PlainHead[] = [];

  /** Like `plainHeadOf`. */
  of(chunk: Buffer): PlainHead | undefined {
    for (const head of this.latest) {
      if (isAllOf(head, chunk) && chunk.compare(head.bytes, 0, head.bytes.length, 0, head.bytes.length) === 0)
        return head;
    }
    const head = plainHeadOf(chunk);
    if (head) this.latest.unshift(head);
    if (this.latest.length > REMEMBERED_HEADS) this.latest.pop();
    return head;
  }
}

function readHead(chunk: Buffer): PlainHead | undefined {
  const end = chunk.indexOf(END);
  if (end === -1 || end > MOST_BYTES) return undefined;
  const [start = '', ...lines] = chunk.toString('latin1', 0, end).split('\r\n');
  const url = START.exec(start)?.[1];
  const headers = url !== undefined && lines.length <= MOST_LINES ? readFields(lines) : undefined;
  if (!headers?.host || (headers.connection ?? 'keep-alive').toLowerCase() !== 'keep-alive') return undefined;
  if (FRAMING.some((name) => name in headers)) return undefined;
  const length = headers['content-length'];
  if (length === undefined || !LENGTH.test(length) || Number(length) > SMALL_BYTES) return undefined;
  const upload = plainUploadOf({ method: 'POST', url, headers });
  // A copy: a chunk may lie in a large buffer with others.
  return upload && { bytes: Buffer.from(chunk.subarray(0, end + END.length)), upload, bodyBytes: Number(length) };
}

/** By lower-case name; undefined if one of them is spelled otherwise or is repeated. */
function readFields(lines: readonly string[]): Record<string, string> | undefined {
  const fields: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const [, name, value] = FIELD.exec(line) ?? [];
    if (name === undefined || value === undefined) return undefined;
    const lower = name.toLowerCase();
    if (lower in fields) return undefined;
    fields[lower] = value;
  }
  return fields;
}
