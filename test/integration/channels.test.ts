import assert from 'node:assert/strict';
import { nextAttempt } from '../../src/domain/delivery-schedule';
import { emailRig, type Rig, SECRETS, type Situation, urlRig } from '../support/channel-rigs';

interface Expected {
  kind: string;
  /** The cause, where every channel calls it the same. */
  reason?: string;
  /** Attempts until the platform gives up. */
  attempts: number;
}

const EXPECTED: Record<Situation, Expected> = {
  accepts: { kind: 'delivered', attempts: 1 },
  'asks for later': { kind: 'retry-later', attempts: 10 },
  'refuses for good': { kind: 'refused', attempts: 1 },
  'refuses the connection': { kind: 'retry-later', reason: 'connection refused', attempts: 10 },
  'cuts the connection': { kind: 'retry-later', reason: 'connection cut', attempts: 10 },
  'says nothing': { kind: 'retry-later', reason: 'timed out', attempts: 10 },
  'hangs in the middle': { kind: 'retry-later', reason: 'timed out', attempts: 10 },
  'cannot be found': { kind: 'retry-later', reason: 'host not found', attempts: 10 },
};

const CHANNELS: Record<string, (situation: Situation) => Promise<Rig>> = { url: urlRig, email: emailRig };

/** How many attempts a delivery gets when each of them ends like this. */
function attemptsOf(outcome: Parameters<typeof nextAttempt>[0]): number {
  let attempts = 1;
  while (nextAttempt(outcome, attempts, 0, () => 0).status === 'pending') attempts += 1;
  return attempts;
}

for (const [name, open] of Object.entries(CHANNELS)) {
  describe(`the ${name} channel, when the receiver`, () => {
    for (const [situation, { kind, reason, attempts }] of Object.entries(EXPECTED)) {
      it(`${situation}, says ${kind}${reason ? ` (${reason})` : ''} and gives away no secret`, async () => {
        const rig = await open(situation as Situation); // the keys of a Record of situations
        try {
          const outcome = await rig.channel.send(rig.delivery);
          assert.equal(outcome.kind, kind, JSON.stringify(outcome));
          if (reason !== undefined) assert.equal('reason' in outcome && outcome.reason, reason);
          assert.equal(attemptsOf(outcome), attempts);
          for (const secret of SECRETS) assert.ok(!JSON.stringify(outcome).includes(secret), JSON.stringify(outcome));
        } finally {
          await rig.close();
        }
      });
    }
  });
}
