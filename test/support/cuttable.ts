import { connect, createServer, type Socket } from 'node:net';
import { freePort } from './ports';

export interface Cuttable {
  /** The URL of the server through this proxy. */
  url: string;
  /** Breaks every connection and refuses new ones, like a server that was stopped. */
  cut(): Promise<void>;
  /** Keeps every connection open but forwards nothing more, as if the server had vanished; new connections work. */
  freeze(): void;
  /** The connection that next sends this text gets no further answer, though the server does what it is asked to. */
  holdAnswers(text: string): void;
  /** The same, and new connections open but get no answer, as if the server's process were stopped. */
  stop(): void;
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** A proxy to a real server, given by its URL, that can be cut and restored. */
export async function startCuttable(target: string): Promise<Cuttable> {
  const behind = new URL(target);
  const sockets = new Set<Socket>();
  let isStopped = false;
  let heldText: string | undefined;
  const server = createServer((near) => {
    if (isStopped) {
      sockets.add(near);
      near.once('close', () => sockets.delete(near)).on('error', () => near.destroy());
      near.resume();
      return;
    }
    const far = connect(Number(behind.port), behind.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on('error', () => other.destroy());
      socket.once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    near.on('data', (bytes: Buffer) => {
      if (heldText === undefined || !bytes.includes(heldText)) return;
      heldText = undefined;
      far.unpipe(near);
    });
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const freeze = () => {
    for (const socket of sockets) socket.unpipe();
  };
  const holdAnswers = (text: string) => {
    heldText = text;
  };
  const stop = () => {
    isStopped = true;
    freeze();
  };
  // Nobody else may get it while the proxy is cut.
  const port = await freePort();
  await listen(port);
  const url = new URL(target);
  url.host = `127.0.0.1:${port}`;
  return { url: url.toString(), cut, freeze, holdAnswers, stop, restore: () => listen(port), close: cut };
}
