// Uploads continuously, over each API process, to measure interruptions.
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 50;
const GIVE_UP_MS = 10_000;

/** Records the time of each upload that was answered with 201, and the failed ones. */
export class Probe {
  stored = [];
  failures = [];
  sent = 0;
  #isOver = false;

  /** Creates a sensor, with one stream of uploads for each API process. */
  static async start(client, ports) {
    const probe = new Probe();
    const { sensor } = await client.post('/sensors', { sensor: { name: 'probe' } });
    const { key } = await client.post('/keys', { key: { name: 'probe', scopes: ['data:write'] } });
    probe.running = ports.map((port, index) => probe.#send(port, sensor.id, key.secret, index));
    return probe;
  }

  /** The longest time between two stored uploads, of any API process, in ms. */
  longestGap(fromMs, toMs) {
    const times = [fromMs, ...this.stored.filter((atMs) => atMs >= fromMs && atMs <= toMs), toMs].sort((a, b) => a - b);
    return times.reduce((most, atMs, index) => Math.max(most, atMs - (times[index - 1] ?? atMs)), 0);
  }

  /** The failures in this time: by status, or by the error of the connection. */
  failedWithin(fromMs, toMs) {
    return this.failures.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs).map(({ status }) => status);
  }

  async end() {
    this.#isOver = true;
    await Promise.all(this.running);
  }

  async #send(port, sensorId, secret, index) {
    let date = 1_500_000_000 + index * 10_000_000;
    while (!this.#isOver) {
      date += 1;
      this.sent += 1;
      const status = await upload(port, sensorId, secret, date);
      if (status === 201) this.stored.push(Date.now());
      else this.failures.push({ atMs: Date.now(), status });
      await sleep(PAUSE_MS);
    }
  }
}

async function upload(port, sensorId, secret, date) {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/sensors/${sensorId}/data`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${secret}` },
      body: JSON.stringify({ data: { value: 1, date } }),
      signal: AbortSignal.timeout(GIVE_UP_MS),
    });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    return String(error.cause ?? error);
  }
}
