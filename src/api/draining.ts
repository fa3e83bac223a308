import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PIPELINED } from './knobs';
import { closeWithSocket, onceClosed } from './middlewares/closed-response';

/**
 * The last seconds of an API process: it still answers everything, but every response closes its connection, and
 * `/readyz` reports 503. So a load balancer that checks it, and clients with persistent connections, go elsewhere
 * before the process stops listening, and no request meets a connection that is just being closed.
 */
export class Draining {
  /**
   * The requests whose responses are not sent yet, each in a separate place. A Set is copied repeatedly when entries
   * are deleted as fast as they are added. Each copy that V8 has moved to the old space keeps the next one alive with
   * all its entries, until the whole heap is collected: this was a quarter of the processor time of single points, 22
   * of 80 µs each.
   */
  private readonly places: (ServerResponse | undefined)[] = [];
  private readonly free: number[] = [];
  private hasBegun = false;

  get isUnderWay(): boolean {
    return this.hasBegun;
  }

  /** Also applies to responses that have not been sent yet. */
  begin(): void {
    this.hasBegun = true;
    for (const response of this.places) if (response) response.shouldKeepAlive = false;
  }

  /** Number of requests that are not answered yet. */
  get count(): number {
    return this.places.length - this.free.length;
  }

  /** Wraps the listener so that `begin` reaches its responses. */
  watch(listener: RequestListener): RequestListener {
    return (request, response) => {
      const place = this.enter(response);
      closeWithSocket(response);
      onceClosed(response, () => this.leave(place));
      listener(request, response);
    };
  }

  private enter(response: ServerResponse): number {
    if (this.hasBegun) response.shouldKeepAlive = false;
    const place = this.free.pop() ?? this.places.length;
    this.places[place] = response;
    return place;
  }

  private leave(place: number): void {
    this.places[place] = undefined;
    this.free.push(place);
  }
}

/**
 * Wraps the listener so that it handles one request of a connection at a time: pipelined requests wait until all
 * earlier ones have been answered. Node delivers everything that has arrived at once, a thousand short requests in 64
 * KB, and other connections would wait for all of them. A connection with too many waiting requests is closed, because
 * node would keep reading.
 */
export function oneAtATime(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    if (response.socket) return listener(request, response);
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > PIPELINED || socket.destroyed) return void socket.destroy();
    waiting.set(socket, count);
    response.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      // Other connections come in between.
      setImmediate(() => {
        if (!response.destroyed) listener(request, response);
      });
    });
  };
}
