import assert from 'node:assert/strict';
import { FairShareScheduler } from '../../src/fairness/fair-share-scheduler';
import { CHANNELS } from '../../src/notifications/delivery/channels';
import type { Channel, ChannelDescriptor, OutgoingDelivery } from '../../src/notifications/delivery/channels/channel';
import { type AttemptOutcome, nextAttempt } from '../../src/notifications/delivery/delivery-schedule';
import { TlsContexts } from '../../src/outbound/tls-contexts';
import { systemClock } from '../../src/platform/clock';
import { Words } from '../../src/platform/words/words';

/** The settings of a channel to URLs. */
export const URL_CONTEXT = { clock: systemClock, tlsContexts: trusting([]), publicUrl: 'http://platform.test' };

/** What connections trust in addition to the public authorities: these. */
export function trusting(authorities: readonly string[]): TlsContexts {
  return new TlsContexts(authorities, new FairShareScheduler());
}

/** What the outside world does to an attempt, whatever the channel. */
export type Situation = keyof typeof EXPECTED;

/** A channel in a situation, with a delivery that it would send there. */
export interface Rig {
  channel: Channel;
  delivery: OutgoingDelivery;
  close(): Promise<void>;
}

export type OpenRig = (situation: Situation) => Promise<Rig>;

interface Expected {
  kind: AttemptOutcome['kind'];
  /** The cause, where every channel describes it alike. */
  reason?: string;
  /** Attempts until the platform gives up. */
  attempts: number;
  /** Whether it counts against the receiver; absent where that depends on the channel. */
  isReceiverFailure?: boolean;
}

const EXPECTED = {
  accepts: { kind: 'delivered', attempts: 1 },
  'asks-for-later': { kind: 'retry-later', attempts: 10 },
  'refuses-permanently': { kind: 'refused', attempts: 1 },
  'refuses-the-connection': unreachable('connection refused'),
  'cuts-the-connection': unreachable('connection cut'),
  'never-answers': unreachable('timed out'),
  'stops-halfway': unreachable('timed out'),
  'cannot-be-found': unreachable('host not found'),
} satisfies Record<string, Expected>;

function unreachable(reason: string): Expected {
  return { kind: 'retry-later', reason, attempts: 10, isReceiverFailure: true };
}

export const SIGNING_SECRET = `whsec_${Buffer.from('a secret of exactly 24 b').toString('base64')}`;
/** What no error text may contain; the rigs put them wherever they can. */
export const SECRETS = ['s3cret', 'token=', 'mailuser', 'whsec_', 'ward@'];
const NO_DESTINATIONS = ['', ' ', 'no s3cret', 's3cret@b@c', '://s3cret', `https://s3cret/${'x'.repeat(3_000)}`];

/** How long the channel of a rig may take: little where it is to time out. */
export function timeoutIn(situation: Situation): number {
  return situation === 'never-answers' || situation === 'stops-halfway' ? 300 : 5_000;
}

/** A delivery of a trigger's firing. */
export function outgoing(fields: Partial<OutgoingDelivery>): OutgoingDelivery {
  return {
    id: 7,
    ownerId: 3,
    webhookId: 'msg_0123456789abcdef',
    destination: '',
    text: 'hot',
    cause: { kind: 'trigger', sensorId: 1, triggerId: 2 },
    format: 'form',
    createdMs: 1_795_229_545_000,
    ownerTimezone: null,
    words: Words.english,
    signingSecrets: [SIGNING_SECRET],
    ...fields,
  };
}

/** Declares the tests that every channel has to pass. */
export function testChannel(name: string, descriptor: ChannelDescriptor, openRig: OpenRig): void {
  describe(`the ${name} channel`, () => {
    for (const [situation, expected] of Object.entries<Expected>(EXPECTED)) {
      const { kind, reason } = expected;
      const title = `reports ${kind}${reason ? ` (${reason})` : ''} and no secret when a receiver ${situation.replaceAll('-', ' ')}`;
      it(title, async () => {
        const rig = await openRig(situation as Situation); // the keys of a Record of situations
        try {
          checkOutcome(await rig.channel.send(rig.delivery), expected, descriptor);
        } finally {
          await rig.close();
        }
      });
    }

    it('accepts the destinations that it sends to, and nothing else', async () => {
      const rig = await openRig('accepts');
      await rig.close();
      assert.equal(descriptor.checkDestination(rig.delivery.destination), null);
      for (const text of NO_DESTINATIONS) {
        const problem = descriptor.checkDestination(text);
        assert.ok(problem, JSON.stringify(text));
        assert.ok(!problem.includes('s3cret'), problem);
      }
    });

    it('names a receiver that no other channel names, whatever the destination', async () => {
      const rig = await openRig('accepts');
      await rig.close();
      const receiver = descriptor.receiverOf(rig.delivery.destination);
      assert.equal(descriptor.receiverOf(rig.delivery.destination), receiver);
      for (const other of Object.values<ChannelDescriptor>(CHANNELS)) {
        if (other !== descriptor) assert.notEqual(other.receiverOf(rig.delivery.destination), receiver);
      }
      const destinations = [rig.delivery.destination, ...NO_DESTINATIONS];
      for (const text of destinations) assert.match(descriptor.receiverOf(text), /^[\x20-\x7e]+$/);
    });
  });
}

function checkOutcome(
  outcome: AttemptOutcome,
  { kind, reason, attempts, isReceiverFailure }: Expected,
  descriptor: ChannelDescriptor,
): void {
  const shown = JSON.stringify(outcome);
  assert.equal(outcome.kind, kind, shown);
  if (reason !== undefined) assert.equal('reason' in outcome && outcome.reason, reason);
  assert.equal(attemptsOf(outcome), attempts);
  if (isReceiverFailure !== undefined && outcome.kind === 'retry-later') {
    assert.equal(descriptor.isReceiverFailure(outcome), isReceiverFailure);
  }
  for (const secret of SECRETS) assert.ok(!shown.includes(secret), shown);
}

/** How many attempts a delivery gets when each of them ends like this. */
export function attemptsOf(outcome: AttemptOutcome): number {
  let attempts = 1;
  while (nextAttempt(outcome, attempts, 0, () => 0).status === 'pending') attempts += 1;
  return attempts;
}
