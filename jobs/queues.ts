import { type ConnectionOptions, type JobsOptions, Queue } from 'bullmq';

/** The queues. Each has its contract in a file next to this one and its handler in `workers/`. */
export const QUEUE_NAMES = ['sensor-actors', 'events', 'deliveries', 'training', 'schedule'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];
export type Queues = Record<QueueName, Queue>;

/**
 * The prefix of all keys: a hash tag, so that a Redis Cluster keeps all keys of a script in one slot, on one master. On
 * a cluster each queue has a separate tag, so that the queues spread over the masters.
 */
export function queuePrefix(prefix: string, ofQueue?: QueueName): string {
  return ofQueue === undefined ? `{${prefix}}` : `{${prefix}-${ofQueue}}`;
}

/** Opens every queue on one shared connection. */
export function openQueues(connection: ConnectionOptions, prefix: string): Queues {
  const isCluster = 'isCluster' in connection && connection.isCluster === true;
  const open = (name: QueueName) => {
    const queue = new Queue(name, { connection, prefix: queuePrefix(prefix, isCluster ? name : undefined) });
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

export interface NewJob {
  name: string;
  data: object;
  opts: JobsOptions;
}

/**
 * Enqueues jobs. A single job is added without the transaction that keeps several together, and is taken a third of a
 * millisecond earlier.
 */
export async function addJobs(queue: Queue, jobs: readonly NewJob[]): Promise<void> {
  const [first] = jobs;
  if (first && jobs.length === 1) await queue.add(first.name, first.data, first.opts);
  else if (first) await queue.addBulk([...jobs]);
}

/** Closes the queues. The shared connection stays open. */
export async function closeQueues(queues: Queues): Promise<void> {
  await Promise.all(Object.values(queues).map((queue) => queue.close()));
}
