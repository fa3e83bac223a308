import type { RequestListener } from 'node:http';
import { closeWithSocket, onceClosed } from './middlewares/closed-response';

/** A request that is being answered, by node's response or otherwise. */
export interface Exchange {
  /** Whether its connection stays open after it. */
  shouldKeepAlive: boolean;
}

/**
 * The last seconds of an API process: it still answers everything, but every response closes its connection, and
 * `/readyz` reports 503. So a balancer that asks for it, and clients that keep their connections, go elsewhere before the
 * process stops listening, and no request meets a connection that is just being closed.
 */
export class Draining {
  /**
   * Those whose responses are not sent yet, each in a place of its own. A Set is copied again and again when as much is deleted as added,
   * and each copy that V8 has moved to the old space keeps the next one alive with all that was in it, until the whole heap is
   * collected: this was a quarter of the processor time of single points, 22 of 80 µs of each.
   */
  private readonly places: (Exchange | undefined)[] = [];
  private readonly free: number[] = [];
  private hasBegun = false;

  get isUnderWay(): boolean {
    return this.hasBegun;
  }

  /** Also reaches responses that have not been sent yet. */
  begin(): void {
    this.hasBegun = true;
    for (const exchange of this.places) if (exchange) exchange.shouldKeepAlive = false;
  }

  /** Requests that are not answered yet. */
  get count(): number {
    return this.places.length - this.free.length;
  }

  /** The listener, with responses that `begin` reaches. */
  watch(listener: RequestListener): RequestListener {
    return (request, response) => {
      const place = this.enter(response);
      closeWithSocket(response);
      onceClosed(response, () => this.leave(place));
      listener(request, response);
    };
  }

  /** From now on `begin` reaches it, until it leaves its place, which is returned. */
  enter(exchange: Exchange): number {
    if (this.hasBegun) exchange.shouldKeepAlive = false;
    const place = this.free.pop() ?? this.places.length;
    this.places[place] = exchange;
    return place;
  }

  leave(place: number): void {
    this.places[place] = undefined;
    this.free.push(place);
  }
}
