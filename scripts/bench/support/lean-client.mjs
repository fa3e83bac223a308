// An HTTP client that needs as little processor time as one can, because it shares the processors with what it measures.
import { connect } from 'node:net';

/** One connection that stays open; sends one request at a time. */
class LeanConnection {
  #socket;
  #text = '';
  #waiting;

  constructor(port) {
    this.#socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1');
    this.#socket.on('data', (text) => this.#read(text));
    this.#socket.on('error', (error) => this.#waiting?.reject(error));
    this.#socket.on('close', () => this.#waiting?.reject(new Error('the connection was closed')));
  }

  /** Sends a text or bytes. Resolves with the text of the response's body; rejects unless it is a success. */
  send(head, body) {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      const start = `${head}${Buffer.byteLength(body)}\r\n\r\n`;
      if (typeof body === 'string') return this.#socket.write(start + body);
      this.#socket.cork();
      this.#socket.write(start);
      this.#socket.write(body);
      this.#socket.uncork();
    });
  }

  close() {
    this.#socket.destroy();
  }

  #read(text) {
    this.#text += text;
    const end = this.#text.indexOf('\r\n\r\n');
    if (end === -1) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#text)?.[1] ?? 0);
    if (this.#text.length < end + 4 + length) return;
    const [status, body] = [this.#text.slice(9, 12), this.#text.slice(end + 4, end + 4 + length)];
    this.#text = '';
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (status[0] === '2') waiting?.resolve(body);
    else waiting?.reject(new Error(`${status}: ${body}`));
  }
}

/** The part of a request that is the same each time, up to the length of its body. */
export function headOf(path, headers = {}) {
  const lines = Object.entries({ Host: '127.0.0.1', 'Content-Type': 'application/json', ...headers });
  return `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}Content-Length: `;
}

/** So many connections to a port of this machine. */
export function openConnections(port, count) {
  return Array.from({ length: count }, () => new LeanConnection(port));
}
