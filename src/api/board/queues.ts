import type { EvaluationPayload } from '../../../jobs/evaluation.job';
import { QUEUE_NAMES, type QueueName } from '../../../jobs/queues';
import type { TrainingPayload } from '../../../jobs/training.job';
import type { Container } from '../../container';
import { sensorServiceNames } from '../../sensors';
import { BoardQueue, type JobsOnBoard } from './board-queue';
import { deliveriesOnBoard } from './deliveries';
import type { BoardRole } from './login';

/** The page has room for one line about each queue. */
const JOBS_ONLY_WAKE = 'Jobs only wake workers: removing one loses nothing.';

export function boardQueues({ queues, layout, services }: Container, role: BoardRole): BoardQueue[] {
  const boards: Record<QueueName, JobsOnBoard> = {
    evaluation: {
      description: `Passes, which evaluate points. ${JOBS_ONLY_WAKE}`,
      describe: async (payloads) => payloads.map((payload) => describePass(payload, layout.count)),
    },
    events: { description: `Dispatch of events to notifications. ${JOBS_ONLY_WAKE}` },
    deliveries: deliveriesOnBoard(services.operatorDeliveries),
    training: {
      description: `Sensor services that learn. ${JOBS_ONLY_WAKE}`,
      describe: async (payloads) => {
        const names = await sensorServiceNames(payloads.map(serviceIdOf));
        return payloads.map((payload) => {
          const name = names.get(serviceIdOf(payload)) ?? 'a deleted service';
          return { name, data: { ...Object(payload), service: name } };
        });
      },
    },
    archives: { description: `Exports and imports of accounts. ${JOBS_ONLY_WAKE}` },
    schedule: { description: 'Repeated work, with its next run: due inactivities, lost nudges, the purge.' },
  };
  return QUEUE_NAMES.map((name) => new BoardQueue(queues[name], boards[name], role === 'look'));
}

function describePass(payload: unknown, partitions: number) {
  const { partition, others = [] } = payload as EvaluationPayload; // `jobs/` is the only place that adds to these queues
  const all = [partition, ...others].join(', ');
  const sensors = `those whose id leaves the remainder ${all.replace(/, (\d+)$/, ' or $1')} when divided by ${partitions}`;
  const name = others.length > 0 ? `passes over partitions ${all}` : `pass over partition ${partition}`;
  return { name, data: { partition, ...(others.length > 0 && { others }), sensors } };
}

function serviceIdOf(payload: unknown): number {
  return (payload as TrainingPayload).serviceId; // `jobs/` is the only place that adds to these queues
}
