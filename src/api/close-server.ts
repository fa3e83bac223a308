import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum duration of requests that are running when the process stops listening. */
const DRAIN_MS = 10_000;
/** How long a connection without a request so far may still send one. */
const UNUSED_MS = 1_000;

/** How long connections of each kind stay open, in ms. */
export interface ClosingLimits {
  drainMs: number;
  unusedMs: number;
}

/**
 * The connections of a server, so that it can be closed quickly. Node closes connections that are idle after a request.
 * But it counts a connection that was opened in advance, without a request so far, as one with a running request.
 */
export class ServerConnections {
  private readonly open = new Set<Socket>();

  constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.open.add(socket);
      socket.once('close', () => this.open.delete(socket));
    });
  }

  get count(): number {
    return this.open.size;
  }

  /** Stops listening. Resolves once all running requests are answered, or their time is over. */
  async close({ drainMs, unusedMs }: ClosingLimits = { drainMs: DRAIN_MS, unusedMs: UNUSED_MS }): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeIdleConnections();
    const timers = [
      setTimeout(() => {
        for (const socket of this.unused) socket.destroy();
      }, unusedMs),
      setTimeout(() => this.server.closeAllConnections(), drainMs),
    ];
    await closed;
    for (const timer of timers) clearTimeout(timer);
  }

  private get unused(): Socket[] {
    return [...this.open].filter(({ bytesRead }) => bytesRead === 0);
  }
}
