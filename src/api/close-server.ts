import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Requests may run this long after the process stops listening. */
const DRAIN_MS = 10_000;
const UNUSED_MS = 1_000;

/** In ms. */
export interface ClosingLimits {
  drainMs: number;
  unusedMs: number;
}

/**
 * Closes a server quickly. Node counts a connection that was opened in advance, without a request so far, as one with a
 * running request.
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
