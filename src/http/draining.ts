import type { RequestListener, ServerResponse } from 'node:http';

/**
 * The last seconds of an API process: it still answers everything, but every response closes its connection, and
 * `/readyz` reports 503. So a balancer that asks for it, and clients that keep their connections, go elsewhere before the
 * process stops listening, and no request meets a connection that is just being closed.
 */
export class Draining {
  private readonly open = new Set<ServerResponse>();
  private hasBegun = false;

  get isUnderWay(): boolean {
    return this.hasBegun;
  }

  /** Also reaches responses that have not been sent yet. */
  begin(): void {
    this.hasBegun = true;
    for (const response of this.open) response.shouldKeepAlive = false;
  }

  /** Requests that are not answered yet. */
  get count(): number {
    return this.open.size;
  }

  /** The listener, with responses that `begin` reaches. */
  watch(listener: RequestListener): RequestListener {
    return (request, response) => {
      if (this.hasBegun) response.shouldKeepAlive = false;
      this.open.add(response);
      response.once('close', () => this.open.delete(response));
      listener(request, response);
    };
  }
}
