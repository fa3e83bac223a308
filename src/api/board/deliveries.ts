import type { DeliveryPayload } from '../../../jobs/delivery.job';
import type { DeliveryDescription, OperatorDeliveriesService } from '../../notifications';
import { type JobDescription, type JobsOnBoard, refusal } from './board-queue';

const DESCRIPTION =
  'Retry sends a failed delivery again, promote makes its next attempt now; removing a job loses nothing.';

/** Retries and promotions change the rows first: rows decide what is due. */
export function deliveriesOnBoard(deliveries: OperatorDeliveriesService): JobsOnBoard {
  return {
    description: DESCRIPTION,
    describe: async (payloads) => {
      const known = await deliveries.describe(payloads.flatMap(idsOf));
      return payloads.map((payload) => describeJob(payload, known));
    },
    beforeRetry: async (payload, isSingle) => {
      const count = await deliveries.redeliver(idsOf(payload));
      // Among many jobs it runs, and fails again.
      if (count > 0 || !isSingle) return;
      throw refusal(
        'nothing to send again: the deliveries of this job have not failed, or their notification is switched off',
      );
    },
    beforePromote: (payloads) => deliveries.makeDue(payloads.flatMap(idsOf)),
  };
}

function idsOf(payload: unknown): number[] {
  const { deliveryId, next = [] } = payload as DeliveryPayload; // `jobs/` is the only place that adds to these queues
  return [deliveryId, ...next];
}

function describeJob(payload: unknown, known: ReadonlyMap<number, DeliveryDescription>): JobDescription {
  const ids = idsOf(payload);
  const [first, ...others] = ids.map((id) => known.get(id));
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  const name = first
    ? `${first.channel} to ${first.host}, of ${first.owner || 'a deleted user'}${more}`
    : 'a deleted delivery';
  return {
    name,
    data: { ...Object(payload), deliveries: ids.map((id) => known.get(id) ?? { id, status: 'deleted' }) },
  };
}
