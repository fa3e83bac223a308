import { SMALL_BYTES } from '../middlewares/body-reader';
import { type PlainUpload, plainUploadOf } from './plain-upload';

/** The head of a plain upload. */
export interface PlainHead {
  /** Up to the body. */
  bytes: Buffer;
  upload: PlainUpload;
  bodyBytes: number;
}

/** A longer one, or one with more lines, is left to node, which has limits of its own. */
const MOST_BYTES = 2_048;
const MOST_LINES = 50;
const END = '\r\n\r\n';
const START = /^POST (\/sensors\/(?:[0-9]+\/)?data(?:\.json)?) HTTP\/1\.1$/;
/** Visible ASCII without spaces at its ends. */
const FIELD = /^([A-Za-z][\w-]*): ([!-~](?:[ -~]*[!-~])?)$/;
const LENGTH = /^(?:0|[1-9][0-9]{0,4})$/;
/** Whatever says of a request where it ends or what comes after it, but for its length. */
const FRAMING = ['transfer-encoding', 'te', 'trailer', 'upgrade', 'expect', 'keep-alive', 'proxy-connection'];

/**
 * Recognizes a chunk that is exactly one plain upload: its head and its whole body, which is small. This is no reader of HTTP (RFC 9112): it knows
 * the one spelling of a head that everybody reads in the same way, each field once, with a `Host` and a length in digits, and returns
 * undefined for anything else, however valid.
 */
export function plainHeadOf(chunk: Buffer): PlainHead | undefined {
  const head = readHead(chunk);
  return head && isAllOf(head, chunk) ? head : undefined;
}

/** Whether the chunk is that head, whose bytes it begins with, and a body of its length. */
function isAllOf({ bytes, bodyBytes }: PlainHead, chunk: Buffer): boolean {
  return chunk.length === bytes.length + bodyBytes;
}

/** A device repeats its head, with one of a few lengths of the body. */
const REMEMBERED_HEADS = 4;

/** The latest heads of one connection: what repeats one of them is not read again, which would take ten times as long. */
export class PlainHeads {
  private readonly latest: PlainHead[] = [];

  /** As `plainHeadOf`. */
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

/** By their names in small letters; undefined where one of them is spelled otherwise, or comes twice. */
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
