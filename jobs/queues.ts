import { type ConnectionOptions, type JobsOptions, Queue } from 'bullmq';

/** A queue has its contract in a file here and its handler in `workers/`. */
export const QUEUE_NAMES = ['evaluation', 'events', 'deliveries', 'training', 'archives', 'schedule'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];
export type Queues = Record<QueueName, Queue>;

/**
 * A hash tag: a Redis Cluster keeps all keys of a script on one master. There each queue has its own tag, so that
 * queues spread.
 */
export function queuePrefix(prefix: string, ofQueue?: QueueName): string {
  return ofQueue === undefined ? `{${prefix}}` : `{${prefix}-${ofQueue}}`;
}

/** The queues share one connection. */
export function openQueues(connection: ConnectionOptions, prefix: string): Queues {
  const isCluster = 'isCluster' in connection && connection.isCluster === true;
  const open = (name: QueueName) => {
    const queue = new Queue(name, { connection, prefix: queuePrefix(prefix, isCluster ? name : undefined) });
    // Without a listener a lost connection would end the process; the promise of an enqueueing call reports it.
    queue.on('error', () => undefined);
    return queue;
  };
  return {
    evaluation: open('evaluation'),
    events: open('events'),
    deliveries: open('deliveries'),
    training: open('training'),
    archives: open('archives'),
    schedule: open('schedule'),
  };
}

export interface NewJob {
  name: string;
  data: object;
  opts: JobsOptions;
}

/** Adds a single job without a transaction: a third of a millisecond faster. */
export async function addJobs(queue: Queue, jobs: readonly NewJob[]): Promise<void> {
  const [first] = jobs;
  if (first && jobs.length === 1) await queue.add(first.name, first.data, first.opts);
  else if (first) await queue.addBulk([...jobs]);
}

/** The shared connection stays open. */
export async function closeQueues(queues: Queues): Promise<void> {
  await Promise.all(Object.values(queues).map((queue) => queue.close()));
}
