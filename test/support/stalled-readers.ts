import { connect, type Socket } from 'node:net';

/** Connections that ask for something, read a little of the answer and then nothing more. Ends with `destroy`. */
export class StalledReaders {
  private readonly sockets: Socket[] = [];

  constructor(private readonly url: string) {}

  /** Opens one; resolves with the beginning of its answer. */
  async open(path: string, session: string): Promise<string> {
    const { hostname, port } = new URL(this.url);
    const socket = connect(Number(port), hostname);
    this.sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-SESSION_ID: ${session}\r\n\r\n`);
    const start = await new Promise<string>((resolve) => {
      socket.once('data', (chunk) => resolve(chunk.toString('latin1')));
      socket.once('close', () => resolve(''));
    });
    socket.pause();
    return start;
  }

  /** The status of each of so many, opened at the same time. */
  async openMany(count: number, path: string, session: string): Promise<string[]> {
    const starts = await Promise.all(Array.from({ length: count }, () => this.open(path, session)));
    return starts.map((start) => start.split(' ')[1] ?? 'none');
  }

  close(): void {
    for (const socket of this.sockets.splice(0)) socket.destroy();
  }
}
