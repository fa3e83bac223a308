// A broker that loses its connections, and a source that stores its messages. Half of them have dates of their own.
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Aedes } from 'aedes';

const TOPICS = ['torture/dated/a', 'torture/dated/b', 'torture/undated/a', 'torture/undated/b'];
const PAUSE_MS = 200;
const CUT_EVERY_MS = 12_000;
const CUT_MS = 2_000;
const WAIT_MS = 90_000;
const CLOSED_WITHIN_MS = 10_000;

/** Starts the broker and a source, and waits for its subscription. */
export async function prepareBroker(client) {
  const aedes = await Aedes.createBroker();
  markRepeated(aedes);
  const sentAsNew = countSentAsNew(aedes);
  const acknowledged = new Set();
  aedes.on('ack', (packet) => packet?.payload && acknowledged.add(`${packet.topic} ${packet.payload}`));
  const subscribed = new Promise((resolve) => aedes.once('subscribe', resolve));
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    aedes.handle(socket);
  });
  const port = await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));
  const fields = { name: 'torture', url: `mqtt://127.0.0.1:${port}`, topics: ['torture/#'], decoder: 'json' };
  await client.post('/mqtt_sources', { mqtt_source: fields });
  await Promise.race([subscribed, sleep(WAIT_MS, undefined, { ref: false })]);
  return { aedes, server, sockets, port, acknowledged, sentAsNew, sent: 0, startMs: Date.now() };
}

/** Publishes until `isOver()`, with breaks of all connections, and waits until all messages are acknowledged. */
export async function runBroker(broker, isOver) {
  const breaking = breakConnections(broker, isOver);
  while (!isOver()) {
    for (const topic of TOPICS) {
      const date = topic.includes('/dated/') && { date: (broker.startMs + broker.sent) / 1_000 };
      await publish(broker.aedes, topic, JSON.stringify({ value: broker.sent, ...date }));
      broker.sent += 1;
    }
    await sleep(PAUSE_MS);
  }
  await breaking;
  for (const end = Date.now() + WAIT_MS; broker.acknowledged.size < broker.sent && Date.now() < end; ) await sleep(200);
  broker.server.close();
  for (const socket of broker.sockets) socket.destroy();
  await Promise.race([new Promise((resolve) => broker.aedes.close(resolve)), sleep(CLOSED_WITHIN_MS)]);
}

/** The messages that were acknowledged and are missing, those that are not acknowledged, and those stored twice. */
export async function judgeBroker(rows, { acknowledged, sent, sentAsNew }) {
  const from = `FROM series n JOIN data_points p ON p.sensor_id = n.sensor_id WHERE n.namespace = 'mqtt'`;
  const [{ stored }] = await rows(`SELECT COUNT(DISTINCT n.id, p.value) AS stored ${from}`);
  const repeated = await rows(`SELECT p.value, COUNT(*) AS times ${from} GROUP BY n.id, p.value HAVING COUNT(*) > 1`);
  const beyond = ({ value, times }) => Math.max(0, Number(times) - (sentAsNew.get(Number(value))?.size ?? 0));
  return {
    lost: Math.max(0, acknowledged.size - Number(stored)),
    waiting: sent - acknowledged.size,
    doubled: repeated.reduce((sum, row) => sum + beyond(row), 0),
  };
}

async function breakConnections({ server, sockets, port }, isOver) {
  for (let since = 0; !isOver(); since += 200) {
    await sleep(200);
    if (since < CUT_EVERY_MS) continue;
    since = 0;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
    await sleep(CUT_MS);
    await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  }
}

function publish(aedes, topic, text) {
  const packet = { cmd: 'publish', topic, payload: Buffer.from(text), qos: 1, retain: false, dup: false };
  return new Promise((resolve, reject) => aedes.publish(packet, (error) => (error ? reject(error) : resolve())));
}

/**
 * The identifiers under which each value was sent as a new message. When a connection takes over the session of another,
 * Aedes sends some messages twice, under two of them: no receiver can know.
 */
function countSentAsNew({ persistence }) {
  const identifiers = new Map();
  const update = persistence.outgoingUpdate.bind(persistence);
  persistence.outgoingUpdate = (client, packet) => {
    if (packet.messageId && packet.payload) {
      const { value } = JSON.parse(String(packet.payload));
      identifiers.set(value, (identifiers.get(value) ?? new Set()).add(packet.messageId));
    }
    return update(client, packet);
  };
  return identifiers;
}

/** The standard demands it, and Aedes does not do so. */
function markRepeated({ persistence }) {
  const stream = persistence.outgoingStream.bind(persistence);
  persistence.outgoingStream = (client) =>
    stream(client).map((packet) => (packet.messageId ? { ...packet, dup: true } : packet));
}
