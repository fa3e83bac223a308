// Replays data on a platform, and waits for its effects.
import type { Client, components } from '../../client/src';
import {
  INACTIVITY_RULE,
  type InactiveSensor,
  makeNotifications,
  type PlacedStream,
  type Point,
  place,
  placeInactiveSensor,
  type Stream,
} from './alarms';
import { connect, listOf, waitUntil } from './platform-client';

type Schemas = components['schemas'];

const BATCH = 168;

export interface Expected {
  triggerId: string;
  sensorId: string;
  name: string;
  date: number;
}

/** A firing with its trigger and its sensor. */
export type Found = Schemas['FiringView'] & Omit<Expected, 'date'> & { byInactivity: boolean };

/** The sent data and its effects. */
export interface Outcome {
  points: number;
  uploadMs: number;
  expected: Expected[];
  firings: Found[];
  deliveries: Schemas['DeliveryView'][];
  /** Seconds until the inactivity fired; undefined in the short form. */
  inactivity: { afterAtMost: number; afterAtLeast: number } | undefined;
  /** When each point was sent, by sensor and date. */
  sentAt: Map<string, number>;
}

/** Replays the streams for a new user. Without `inactivity` it does not wait for a minute without data. */
export async function replay(
  platformUrl: string,
  receiverUrl: string,
  streams: readonly Stream[],
  { inactivity: isAwaited }: { inactivity: boolean },
): Promise<Outcome> {
  const { client, email } = await connect(platformUrl);
  const notificationIds = await makeNotifications(client, receiverUrl, email);
  const inactive = isAwaited ? await placeInactiveSensor(client, notificationIds) : undefined;
  const placed: PlacedStream[] = [];
  for (const stream of streams) placed.push(await place(client, stream, notificationIds));
  const sent: Sent = { points: 0, uploadMs: 0, expected: [], sentAt: new Map() };
  for (const stream of placed) await replayStream(client, stream, sent);
  const inactivity = inactive && (await waitForInactivity(client, inactive));
  const firings = await readFirings(client, placed, inactive);
  return { ...sent, inactivity, firings, deliveries: await waitForDeliveries(client, 2 * firings.length) };
}

type Sent = Pick<Outcome, 'points' | 'uploadMs' | 'expected' | 'sentAt'>;

async function replayStream(client: Client, stream: PlacedStream, sent: Sent): Promise<void> {
  console.log(`\n${stream.name}`);
  let last: Point['value'] | undefined;
  for (const month of stream.months) {
    const newest = month.at(-1);
    if (!newest) continue;
    const expectedNow = expect(stream, month, last);
    sent.expected.push(...expectedNow);
    last = newest.value;
    const before = Date.now();
    await upload(client, stream.sensorId, month, sent.sentAt);
    sent.uploadMs += Date.now() - before;
    sent.points += month.length;
    await waitForEvaluation(client, stream, newest.date);
    await resetRateLimit(client, stream);
    const label = new Date(newest.date * 1000).toISOString().slice(0, 7);
    const names = expectedNow.map(({ name }) => name).join(', ');
    console.log(`  ${label}  ${String(month.length).padStart(4)} points  ${names}`);
  }
}

/** Each rule must fire at the first point of the month that satisfies it: the others are within the same minute. */
function expect({ rules, sensorId }: PlacedStream, month: Point[], before: Point['value'] | undefined): Expected[] {
  return rules.flatMap(({ triggerId, name, holds }) => {
    let last = before;
    const point = month.find(({ value }) => {
      const found = holds(value as never, last as never); // of the kind that the rule reads
      last = value;
      return found;
    });
    return point ? [{ triggerId, sensorId, name, date: point.date }] : [];
  });
}

async function upload(client: Client, sensorId: string, points: Point[], sentAt: Map<string, number>): Promise<void> {
  for (let start = 0; start < points.length; start += BATCH) {
    const batch = points.slice(start, start + BATCH);
    const now = Date.now();
    for (const { date } of batch) sentAt.set(`${sensorId} ${date}`, now);
    await client.upload(sensorId, batch);
  }
}

function waitForEvaluation(client: Client, { sensorId, rules }: PlacedStream, date: number): Promise<boolean> {
  const params = { path: { id: sensorId } };
  return waitUntil(
    'the evaluation of a month',
    async () => {
      const { triggers } = await client.get('/sensors/{id}/triggers', { params });
      return triggers.length === rules.length && triggers.every((one) => one.last_sensor_data_date === date);
    },
    60_000,
  );
}

/** A replay is faster than real sensors: this reset lets each trigger fire once per month, not once per minute. */
async function resetRateLimit(client: Client, { sensorId, rules }: PlacedStream): Promise<void> {
  for (const { triggerId } of rules) {
    const params = { path: { id: sensorId, trigger_id: triggerId } };
    await client.put('/sensors/{id}/trigger/{trigger_id}', { params, body: { trigger: { last_triggered: 0 } } });
  }
}

async function waitForInactivity(client: Client, { sensorId, triggerId, sent, stored }: InactiveSensor) {
  console.log('\nwaiting for a minute without data on a sensor');
  const params = { path: { id: sensorId, trigger_id: triggerId } };
  const firing = await waitUntil(
    'the firing of the inactivity trigger',
    async () => (await client.get('/sensors/{id}/triggers/{trigger_id}/firings', { params })).firings[0],
    120_000,
  );
  const firedMs = firing.date * 1000;
  return { afterAtMost: (firedMs - sent) / 1000, afterAtLeast: (firedMs - stored) / 1000 };
}

async function readFirings(
  client: Client,
  streams: PlacedStream[],
  inactive: InactiveSensor | undefined,
): Promise<Found[]> {
  const pairs = streams.flatMap(({ sensorId, rules }) =>
    rules.map(({ triggerId, name }) => ({ sensorId, triggerId, name, byInactivity: false })),
  );
  if (inactive) pairs.push({ ...inactive, name: INACTIVITY_RULE, byInactivity: true });
  const found: Found[] = [];
  for (const { sensorId, triggerId, name, byInactivity } of pairs) {
    const params = { path: { id: sensorId, trigger_id: triggerId } };
    for await (const firing of client.all('/sensors/{id}/triggers/{trigger_id}/firings', { params })) {
      found.push({ ...firing, sensorId, triggerId, name, byInactivity });
    }
  }
  return found;
}

function waitForDeliveries(client: Client, wanted: number): Promise<Schemas['DeliveryView'][]> {
  return waitUntil(
    `${wanted} delivered notifications`,
    async () => {
      const all = await listOf(client.all('/deliveries'));
      return all.length >= wanted && all.every(({ status }) => status === 'delivered') ? all : undefined;
    },
    120_000,
  );
}
