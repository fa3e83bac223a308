import type { OutgoingDelivery } from '../../src/notifications/delivery/channels/channel';
import { outcomeOfStatus } from '../../src/notifications/delivery/channels/http-outcome';
import { formOf } from '../../src/notifications/delivery/channels/webhook-form';
import type { AttemptOutcome } from '../../src/notifications/delivery/delivery-schedule';
import type { Answer, ReceivedRequest } from './history';
import type { Random } from './random';
import type { Scheduler, StepTaker } from './scheduler';

/** The behaviour of a receiver, which is part of its address. */
export const BEHAVIOURS = ['good', 'flaky', 'slow', 'gone', 'picky', 'broken'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** Where the receiver of that behaviour is. */
export function addressOf(behaviour: Behaviour): string {
  return `http://${behaviour}.test/`;
}

const LIMIT_MS = 10_000;

/** The receivers of deliveries: they record each request and respond by their behaviour. */
export class Receivers {
  readonly requests: ReceivedRequest[] = [];

  constructor(
    private readonly scheduler: Scheduler,
    private readonly random: Random,
  ) {}

  /** One attempt by that process: the request arrives, time passes, the response returns; each is a step. */
  async send(sender: StepTaker, delivery: OutgoingDelivery): Promise<AttemptOutcome> {
    const request = await this.scheduler.step(sender, 'send', () => this.receive(delivery));
    await this.scheduler.sleep(request.answerMs - request.atMs);
    return this.scheduler.step(sender, 'response', () => outcomeOf(request.answer));
  }

  private receive(delivery: OutgoingDelivery): ReceivedRequest {
    const { id, webhookId, destination } = delivery;
    const behaviour = BEHAVIOURS.find((known) => destination.includes(known)) ?? 'good';
    const answer = this.answer(behaviour);
    const atMs = this.scheduler.nowMs;
    const delayMs = behaviour === 'slow' ? this.random.between(0, LIMIT_MS - 1) : this.random.between(0, 50);
    const answerMs = atMs + (answer === 'hangs' ? LIMIT_MS : delayMs);
    const request = { deliveryId: id, webhookId, body: JSON.stringify(formOf(delivery)), atMs, answerMs, answer };
    this.requests.push(request);
    return request;
  }

  private answer(behaviour: Behaviour): Answer {
    switch (behaviour) {
      case 'flaky':
        return this.random.pick([200, 500, 429, 'hangs'] as const);
      case 'gone':
        return 410;
      case 'picky':
        return 400;
      case 'broken':
        return this.random.pick([500, 'hangs'] as const);
      default:
        return 200;
    }
  }
}

/** The outcome that the URL channel reports for the response. */
function outcomeOf(answer: Answer): AttemptOutcome {
  if (answer === 'hangs') return { kind: 'retry-later', reason: 'timed out' };
  return outcomeOfStatus(answer, answer === 429 ? 7_000 : undefined);
}
