import type { DeliveryTrace } from '../../operators/delivery-traces';
import type { AddCommands } from '../command';
import { table } from '../text';

export const addTrace: AddCommands = (program, run) => {
  program
    .command('trace')
    .description('follow a delivery: the request that brought its point, its firing, its attempts')
    .argument('<delivery>', 'its id, or the webhook-id that its receiver got')
    .action(
      run(async (platform, name: string) => {
        const trace = await platform.container().services.operations.deliveryTraces.find(name);
        const { delivery, cause, instants, attempts } = trace;
        const lines = [
          `delivery ${delivery.id} (${delivery.webhookId}) to ${delivery.receiver ?? 'nobody'}: ${delivery.status}`,
          causeOf(cause),
          ...requestOf(trace),
          '',
          ...table(
            Object.entries(instants)
              .filter(([, ms]) => ms !== null)
              .sort(([, one], [, other]) => Number(one) - Number(other))
              .map(([instant, ms]) => ({ instant: instant.replace(/Ms$/, ''), at: precise(Number(ms)) })),
            '',
          ),
          '',
          ...table(
            attempts.map(({ atMs, statusCode, durationMs, error }) => {
              return { attempt: precise(atMs), status: statusCode, ms: durationMs, error: error ?? '-' };
            }),
            'no attempt so far',
          ),
        ];
        return { data: trace, lines };
      }),
    );
};

function causeOf({ firingId, sensorId, triggerId, event }: DeliveryTrace['cause']): string {
  if (firingId !== null) return `caused by firing ${firingId} of trigger ${triggerId} on sensor ${sensorId}`;
  return event === null ? 'caused by a request or a notice, not by a point' : `caused by the event ${event}`;
}

function requestOf({ cause, instants }: DeliveryTrace): string[] {
  if (cause.firingId === null || instants.storedMs === null) return [];
  return [
    `its request is the line in the log with "route":"/sensors/{id}/data", "id":"${cause.sensorId}" and "storedMs":${instants.storedMs}`,
    `(of several sensors: "route":"/sensors/data"; of a virtual sensor: what its service got until then)`,
  ];
}

function precise(ms: number): string {
  return new Date(ms).toISOString();
}
