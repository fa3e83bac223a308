import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const CHECK_MS = 100;

/** A proxy as it stands in front of API processes: it asks each for `/readyz`, and never repeats a request. */
export interface Balancer {
  url: string;
  /** Requests that it could not pass on, or that a process left without a complete response. */
  failures: string[];
  /** How many processes it has found ready. */
  ready(): number;
  close(): Promise<void>;
}

/** One process behind the balancer, with connections that are kept. */
class Backend {
  isReady = false;
  readonly agent = new Agent({ keepAlive: true });
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(readonly url: string) {
    void this.check();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.agent.destroy();
  }

  private async check(): Promise<void> {
    const signal = AbortSignal.timeout(60_000);
    const response = await fetch(`${this.url}/readyz`, { signal }).catch(() => undefined);
    this.isReady = response?.status === 200;
    if (!this.isClosed) this.timer = setTimeout(() => void this.check(), CHECK_MS);
  }
}

/** Starts it in front of these addresses. */
export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const backends = urls.map((url) => new Backend(url));
  const failures: string[] = [];
  let requests = 0;
  const server = createServer((incoming, response) => {
    const ready = backends.filter(({ isReady }) => isReady);
    requests += 1;
    const backend = ready[requests % ready.length];
    if (backend) pass(incoming, response, backend, (reason) => failures.push(reason));
    else {
      failures.push('no process is ready');
      response.writeHead(502).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // a TCP server's address is an AddressInfo
    failures,
    ready: () => backends.filter(({ isReady }) => isReady).length,
    close: async () => {
      for (const backend of backends) backend.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(
  incoming: IncomingMessage,
  response: ServerResponse,
  { url, agent }: Backend,
  onFailure: (reason: string) => void,
): void {
  const fail = (error: Error) => {
    onFailure(`${incoming.method} ${incoming.url} at ${url}: ${error.message}`);
    response.destroy();
  };
  const { connection: _, ...headers } = incoming.headers;
  const onward = request(`${url}${incoming.url}`, { method: incoming.method, headers, agent }, (answer) => {
    const { connection: __, ...kept } = answer.headers;
    answer.once('error', fail);
    response.writeHead(answer.statusCode ?? 502, kept);
    answer.pipe(response);
  });
  onward.once('error', fail);
  incoming.pipe(onward);
}
