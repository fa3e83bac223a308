// Reads what a sensor trigger has decided on the points that were sent to it.
import { setTimeout as sleep } from 'node:timers/promises';

export const POINT_EVERY_MS = 400;
const TRIES = 200;

/** The latest ones that the platform keeps, newest first. */
async function decisionsOf(client, { id, triggerId }) {
  return (await client.get(`/sensors/${id}/triggers/${triggerId}/decisions`)).decisions;
}

/** Returns false if the latest point, of this value, is not decided in time. */
export async function untilDecided(client, sensor, value, isOver) {
  for (let tries = 0; tries < TRIES && !isOver(); tries += 1) {
    const [latest] = await decisionsOf(client, sensor);
    if (latest?.value === value) return true;
    await sleep(POINT_EVERY_MS);
  }
  return false;
}

/** Decisions on points that were evaluated. */
export async function madeOn(client, sensor) {
  return (await decisionsOf(client, sensor)).filter(({ value, reason }) => value !== null && reason !== 'late');
}
