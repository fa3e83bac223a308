import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 15;

/**
 * Uploads 1, 2, 3 … to each sensor, one request after the other, to any API that is open. A failed request is counted
 * and repeated.
 */
export class Load {
  constructor({ session, sensorIds }) {
    this.session = session;
    this.sent = new Map(sensorIds.map((id) => [id, 0]));
    this.ports = [];
    this.failures = [];
    this.byPort = new Map();
    this.isOver = false;
  }

  start() {
    this.streams = [...this.sent.keys()].map((id) => this.#stream(id));
  }

  async end() {
    this.isOver = true;
    await Promise.all(this.streams);
  }

  async #stream(id) {
    for (let request = 0; !this.isOver; request += 1) {
      const value = this.sent.get(id) + 1;
      const port = this.ports[request % this.ports.length];
      const failure = await this.#upload(port, id, value);
      if (failure) this.failures.push(`${port}: ${failure}`);
      else {
        this.sent.set(id, value);
        this.byPort.set(port, (this.byPort.get(port) ?? 0) + 1);
      }
      await sleep(PAUSE_MS);
    }
  }

  async #upload(port, id, value) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/sensors/${id}/data`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-SESSION_ID': this.session },
        // In the order of the values, whichever process stores them; a repeat replaces itself.
        body: JSON.stringify({ value, date: 1_700_000_000 + value }),
        signal: AbortSignal.timeout(20_000),
      });
      const text = await response.text();
      return response.status === 201 ? undefined : `${response.status} ${text}`;
    } catch (error) {
      return String(error.cause ?? error);
    }
  }
}
