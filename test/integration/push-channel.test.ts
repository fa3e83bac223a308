import assert from 'node:assert/strict';
import type { Alert } from '../../src/notifications/delivery/alert';
import type { OutgoingDelivery } from '../../src/notifications/delivery/channels/channel';
import type { PushChannel } from '../../src/notifications/delivery/channels/push.channel';
import { nextAttempt } from '../../src/notifications/delivery/delivery-schedule';
import { pushChannelFor, pushTo } from '../support/channel-rigs';
import { attemptsOf } from '../support/channel-suite';
import { type PushAnswer, type PushService, SubscribedBrowser, startPushService } from '../support/push-service';

const ACKNOWLEDGE = 'https://s.example.org/acknowledge?token=k1-207.abc';
const ALERT: Alert = {
  firingId: 207,
  episodeId: 205,
  state: 'firing',
  reason: 'expression',
  resolvedBy: null,
  sensor: { id: 42, name: 'freezer', displayName: '', dataType: 'float', dataStructure: '' },
  trigger: {
    id: 5,
    name: 'too warm',
    expression: 'sensor_data_value > -15',
    inactivity: null,
    timezone: 'UTC',
    severity: 'critical',
  },
  value: '-3',
  dateMs: 1_795_229_544_125,
  atMs: 1_795_229_544_200,
  variables: null,
  isSample: false,
};
const MOST_BYTES = 3 * 1024;

describe('the push channel', () => {
  let service: PushService;
  let channel: PushChannel;

  before(async () => {
    service = await startPushService();
    channel = pushChannelFor(2_000);
  });
  after(async () => {
    await channel.close();
    await service.close();
  });
  beforeEach(() => {
    for (const list of [service.pushed, service.problems, service.answers]) list.length = 0;
  });

  const push = async (fields: Partial<OutgoingDelivery> = {}) => {
    const outcome = await channel.send(pushTo(service.subscribe(), fields));
    assert.deepEqual(service.problems, []);
    assert.equal(outcome.kind, 'delivered', JSON.stringify(outcome));
    return service.pushed.at(-1) ?? assert.fail('nothing arrived');
  };

  it('sends a firing that only its browser can read, signed for the push service, at once if it is critical', async () => {
    const { message, headers, token } = await push({ alert: ALERT, text: 'freezer: -3', acknowledgeUrl: ACKNOWLEDGE });
    assert.deepEqual(message, {
      title: 'Critical: too warm on freezer',
      text: 'freezer: -3',
      tag: 'episode-205',
      url: 'https://s.example.org/console/sensors/42?at=1795229544.125',
      acknowledge_url: ACKNOWLEDGE,
      state: 'firing',
      severity: 'critical',
    });
    assert.deepEqual([headers.urgency, headers.topic, headers.ttl], ['high', 'episode-205', '86400']);
    assert.deepEqual([token.aud, token.sub], [service.url, 'https://s.example.org']);
  });

  it('replaces the firing by its end, and offers nothing to acknowledge', async () => {
    const resolved: Alert = { ...ALERT, state: 'resolved', resolvedBy: 'data', value: '-18' };
    const trigger = { ...ALERT.trigger, severity: 'info' as const };
    const { message, headers } = await push({ alert: { ...resolved, trigger }, text: '' });
    assert.equal(message.title, 'Resolved: too warm on freezer');
    assert.match(String(message.text), /^Value: −18\nWhen: 21 November 2026/);
    assert.deepEqual([message.tag, message.state, message.acknowledge_url], ['episode-205', 'resolved', undefined]);
    assert.deepEqual([headers.urgency, headers.topic], ['low', 'episode-205']);
  });

  it('sends an event and a test without a topic, so that none replaces another', async () => {
    const event = { kind: 'event', event: 'add_sensor', subjectId: 3, sourceId: null, userId: 9 } as const;
    for (const cause of [event, { kind: 'test' } as const]) {
      const { message, headers } = await push({ cause, text: 'hello' });
      assert.deepEqual([message.text, message.tag, message.state], ['hello', 'msg_0123456789abcdef', 'none']);
      assert.deepEqual([headers.urgency, headers.topic], ['normal', undefined]);
    }
  });

  const long: [string, string][] = [
    ['letters', 'x'],
    ['characters of several code points', '👩‍👩‍👧'],
    ['quotes, which JSON escapes', '"'],
    ['control characters', '\u0001'],
  ];
  for (const [what, character] of long) {
    it(`cuts a text of many ${what} between characters, to 3 KB in all`, async () => {
      const text = character.repeat(Math.floor(10_000 / character.length));
      const { message } = await push({ alert: ALERT, text, acknowledgeUrl: ACKNOWLEDGE });
      const bytes = Buffer.byteLength(JSON.stringify(message));
      assert.ok(bytes <= MOST_BYTES && bytes > MOST_BYTES - 100, `${bytes} bytes`);
      const kept = String(message.text).slice(0, -1);
      assert.equal(kept, character.repeat(kept.length / character.length));
      assert.equal(String(message.text).at(-1), '…');
    });
  }

  /** An answer, the outcome that the channel reports, and the number of attempts when every answer is the same. */
  const answers: [PushAnswer, string, number][] = [
    [200, 'delivered', 1],
    [201, 'delivered', 1],
    [404, 'refused', 1],
    [410, 'refused', 1],
    [400, 'retry-later', 3],
    [413, 'retry-later', 3],
    [429, 'retry-later', 10],
    [500, 'retry-later', 10],
    [[307, { location: 'https://127.0.0.1/' }], 'retry-later', 10],
  ];
  for (const [answer, kind, attempts] of answers) {
    it(`reports ${[answer].flat()[0]} as ${kind}, worth ${attempts} attempts`, async () => {
      service.answers.push(answer);
      const outcome = await channel.send(pushTo(service.subscribe()));
      assert.equal(outcome.kind, kind);
      assert.equal(attemptsOf(outcome), attempts);
      assert.equal(service.pushed.length, 1);
    });
  }

  it('says of 404 and 410 alone that the subscription has ended', async () => {
    for (const status of [404, 410, 400, 413]) {
      service.answers.push(status);
      const outcome = await channel.send(pushTo(service.subscribe()));
      assert.equal(
        outcome.kind === 'refused' && outcome.isGone === true,
        status === 404 || status === 410,
        `${status}`,
      );
    }
  });

  it('waits as long as a push service that is busy asks for', async () => {
    service.answers.push([429, { 'retry-after': '120' }]);
    const outcome = await channel.send(pushTo(service.subscribe()));
    assert.deepEqual(
      nextAttempt(outcome, 1, 0, () => 0),
      { status: 'pending', nextAttemptMs: 120_000 },
    );
  });

  it('sends nothing once the browser has another subscription', async () => {
    const { pushKeys: _, ...without } = pushTo(service.subscribe());
    const outcome = await channel.send(without);
    assert.deepEqual(outcome, { kind: 'refused', reason: 'the browser has another subscription now' });
    assert.equal(service.pushed.length, 0);
  });

  it('refuses private addresses, plain http and credentials in the URL', async () => {
    const guarded = pushChannelFor(2_000, []);
    const endpoints: [string, string][] = [
      [`${service.url}/s3cret`, 'the address is not public (an operator can allow it: DELIVERY_ALLOW_NETWORKS)'],
      [
        'https://169.254.169.254/s3cret',
        'the address is not public (an operator can allow it: DELIVERY_ALLOW_NETWORKS)',
      ],
      ['https://[::1]/s3cret', 'the address is not public (an operator can allow it: DELIVERY_ALLOW_NETWORKS)'],
      ['http://push.example.org/s3cret', 'the endpoint must be an https URL'],
      ['https://user:s3cret@push.example.org/', 'the endpoint must not hold credentials'],
    ];
    try {
      for (const [endpoint, reason] of endpoints) {
        const outcome = await guarded.send(pushTo(new SubscribedBrowser(endpoint)));
        assert.deepEqual(outcome, { kind: 'refused', reason });
      }
    } finally {
      await guarded.close();
    }
    assert.equal(service.pushed.length, 0);
  });
});
