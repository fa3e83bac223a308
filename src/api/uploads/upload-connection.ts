import { STATUS_CODES, validateHeaderValue } from 'node:http';
import type { Socket } from 'node:net';
import type { Draining, Exchange } from '../draining';
import { NO_STORE } from '../middlewares/caching';
import type { ResponseHeaders } from '../middlewares/limit-requests';
import { CLIENT_LEFT, type RequestRecords, record } from '../middlewares/request-log';
import { JSON_TYPE, jsonText } from './json-response';
import { type PlainHead, PlainHeads } from './plain-head';
import { ForExpress, type UploadAnswer, type UploadAnswers } from './upload-answers';

/** The dependencies of all connections. */
export interface UploadSetting {
  records: RequestRecords;
  answers: UploadAnswers;
  draining: Draining;
  /** Maximum idle time of a connection, in ms. */
  idleMs: number;
  /** Lets node continue with a connection, from the bytes that are put back. */
  toNode(socket: Socket): void;
}

/**
 * A connection that has carried only plain uploads so far, each in one chunk, as devices and gateways send them. They
 * are answered without `node:http`'s request and response objects, which take the thread longer than everything else.
 * With the first chunk that is anything else, the connection is given to node permanently, with these bytes. Requests
 * that arrive while another is being answered wait, and go to node after it.
 */
export class UploadConnection implements Exchange {
  shouldKeepAlive = true;
  private readonly heads = new PlainHeads();
  private isAnswering = false;
  private readonly waiting: Buffer[] = [];

  constructor(
    private readonly socket: Socket,
    private readonly setting: UploadSetting,
  ) {
    socket.setTimeout(setting.idleMs);
    socket.on('data', this.onData).on('end', this.onEnd).on('timeout', this.onTimeout).on('error', this.onError);
  }

  /**
   * Ends after the current request, or at once. A connection without any data so far stays open, because a request may
   * be on its way.
   */
  closeSoon(): void {
    this.shouldKeepAlive = false;
    if (!this.isAnswering && this.socket.bytesRead > 0) this.socket.destroy();
  }

  private readonly onData = (chunk: Buffer): void => {
    if (this.isAnswering) {
      this.waiting.push(chunk);
      this.socket.pause();
      return;
    }
    const head = this.heads.of(chunk);
    if (head) void this.respond(head, chunk);
    else this.handOver([chunk]);
  };

  /** The client has disconnected. As in node, it gets no answer. */
  private readonly onEnd = (): void => {
    this.socket.end();
  };

  private readonly onTimeout = (): void => {
    if (!this.isAnswering) this.socket.destroy();
  };

  private readonly onError = (): void => {
    this.socket.destroy();
  };

  private async respond({ upload, bytes }: PlainHead, chunk: Buffer): Promise<void> {
    const { answers, draining, records } = this.setting;
    this.isAnswering = true;
    const place = draining.enter(this);
    const headers = new SetHeaders();
    const read = () => chunk.subarray(bytes.length);
    const answered = await answers.respond(upload, { isSurelySmall: true, read }, headers);
    draining.leave(place);
    this.isAnswering = false;
    if (answered instanceof ForExpress) return this.handOver([chunk, ...this.waiting]);
    const { answer, request } = answered;
    const isSent = this.send(answer, request.requestId, headers);
    record(records, request, isSent ? answer.status : CLIENT_LEFT);
    if (this.waiting.length > 0 && this.shouldKeepAlive) this.handOver(this.waiting);
  }

  /** Returns true if the client was still connected. */
  private send({ status, body }: UploadAnswer, requestId: string, headers: SetHeaders): boolean {
    const { socket, shouldKeepAlive } = this;
    if (!socket.writable) return false;
    const { text: json, length, encoding } = jsonText(body);
    const connection = shouldKeepAlive
      ? `keep-alive\r\nKeep-Alive: timeout=${Math.floor(this.setting.idleMs / 1_000)}`
      : 'close';
    const text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.text}Content-Type: ${JSON_TYPE}\r\nCache-Control: ${NO_STORE}\r\nX-Request-Id: ${requestId}\r\nContent-Length: ${length}\r\nDate: ${dateNow()}\r\nConnection: ${connection}\r\n\r\n${json}`;
    const isTaken = socket.write(text, encoding);
    if (!shouldKeepAlive) socket.destroySoon();
    else if (!isTaken) this.readLater();
    return true;
  }

  /** The client does not read its answers: until it does, no more of its requests are read. */
  private readLater(): void {
    this.socket.pause();
    this.socket.once('drain', () => this.socket.resume());
  }

  private handOver(chunks: readonly Buffer[]): void {
    const { socket } = this;
    if (socket.destroyed || socket.readableEnded) {
      socket.destroy(); // nothing can be put back any more; node closes those as well
      return;
    }
    socket.off('data', this.onData).off('end', this.onEnd).off('timeout', this.onTimeout).off('error', this.onError);
    socket.setTimeout(0);
    socket.unshift(Buffer.concat(chunks));
    this.setting.toNode(socket);
    socket.resume();
  }
}

/** Headers that are set while a request is being answered. */
class SetHeaders implements ResponseHeaders {
  private values: Map<string, string> | undefined;

  getHeader(name: string): string | undefined {
    return this.values?.get(name);
  }

  setHeader(name: string, value: string): void {
    validateHeaderValue(name, value);
    this.values ??= new Map();
    this.values.set(name, value);
  }

  /** As sent. */
  get text(): string {
    return this.values ? Array.from(this.values, ([name, value]) => `${name}: ${value}\r\n`).join('') : '';
  }
}

let [dateSecond, dateText] = [0, ''];

/** The date of a response, formatted once a second. */
function dateNow(): string {
  const second = Math.floor(Date.now() / 1_000);
  if (second !== dateSecond) [dateSecond, dateText] = [second, new Date(second * 1_000).toUTCString()];
  return dateText;
}
