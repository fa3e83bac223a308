import { type ConnectionOptions, Queue } from 'bullmq';

/** The queues. Each has its contract in a file next to this one and its handler in `workers/`. */
export const QUEUE_NAMES = ['sensor-actors', 'events', 'deliveries', 'training', 'schedule'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];
export type Queues = Record<QueueName, Queue>;

/** All keys share one hash tag, so that a Redis Cluster keeps them in one slot. */
export function queuePrefix(prefix: string): string {
  return `{${prefix}}`;
}

/** Opens every queue on one shared connection. */
export function openQueues(connection: ConnectionOptions, prefix: string): Queues {
  const open = (name: QueueName) => {
    const queue = new Queue(name, { connection, prefix: queuePrefix(prefix) });
    // Without a listener a lost connection would end the process; the promise of an enqueueing call reports it.
    queue.on('error', () => undefined);
    return queue;
  };
  return {
    'sensor-actors': open('sensor-actors'),
    events: open('events'),
    deliveries: open('deliveries'),
    training: open('training'),
    schedule: open('schedule'),
  };
}

/** Closes them; the shared connection stays open. */
export async function closeQueues(queues: Queues): Promise<void> {
  await Promise.all(Object.values(queues).map((queue) => queue.close()));
}
