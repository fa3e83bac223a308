import assert from 'node:assert/strict';
import { inOneStep } from '../../../src/platform/steps';
import { buildNotification, create } from '../../support/factories';
import { usePlatform, useReceiver, useUser } from '../../support/hooks';
import { Stopwatch } from '../../support/stopwatch';
import { until } from '../../support/until';

/** More computing for deliveries than an owner may have used recently; half of it is forgotten after two seconds. */
const TOO_MUCH_MS = 1_000;
/** As much as an owner may use in all before evaluation lets them wait. */
const BUSY_MS = 1_600;

describe('the computing time of deliveries', () => {
  const platform = usePlatform();
  const [anna, ben] = [useUser(platform), useUser(platform)];
  const receiver = useReceiver();
  before(() => platform.startWorkers(['deliveries']));

  const burn = () => {
    for (const watch = new Stopwatch(); watch.read() < TOO_MUCH_MS; );
  };
  const send = async (user: typeof anna, notification: object) => {
    const id = await buildNotification(user, { destination: receiver.url, ...notification });
    return (await create(user, `/notifications/${id}/test?wait=0`, {})).delivery.id as string;
  };
  const sent = (text: string) => receiver.received.some(({ rawBody }) => rawBody.includes(text));

  it('is charged to their owner: beyond a share their deliveries wait, without a counted attempt', async () => {
    await platform.container.deliveryComputing.run(Number(anna.id), inOneStep(burn));
    const waiting = await send(anna, { body: { text: 'costly {{kind}}' } });
    await send(anna, { text: 'plain' });
    await send(ben, { body: { text: 'other {{kind}}' } });
    await until('all others are sent', () => sent('plain') && sent('other test'));
    assert.ok(!sent('costly'), 'the costly one has waited');
    const { delivery } = (await anna.api.get(`/deliveries/${waiting}`)).body;
    assert.deepEqual([delivery.status, delivery.attempts], ['pending', []]);
    await until('the costly one is sent', async () => {
      await platform.settle();
      return sent('costly test');
    });
  });

  it('grows with each rendering, for previews as well', async () => {
    const { shares } = platform.container;
    const used = async (work: () => Promise<unknown>) => {
      const before = shares.usedMs(Number(ben.id));
      await work();
      return shares.usedMs(Number(ben.id)) > before;
    };
    const costly = { body: { text: `{{${'lower('.repeat(20)}text${')'.repeat(20)}}}` }, text: 'X'.repeat(9_000) };
    const fields = { type: 'url', destination: receiver.url, ...costly };
    const preview = () => ben.api.post('/notifications/preview', { notification: fields });
    assert.ok(await used(preview), 'a preview');
    const count = receiver.received.length;
    const sending = async () => {
      await send(ben, costly);
      await until('it is sent', () => receiver.received.length > count);
    };
    assert.ok(await used(sending), 'a delivery');
  });

  it('of an owner whose evaluation is always busy does not hold deliveries up', async () => {
    const { shares } = platform.container;
    const owner = Number(anna.id);
    const busy = setInterval(() => shares.chargeTime(owner, Math.max(0, BUSY_MS - shares.usedMs(owner))), 10);
    try {
      await until('the owner has to wait', () => shares.mustWait(owner));
      for (const name of ['one', 'two', 'three']) await send(anna, { body: { text: `${name} {{kind}}` } });
      const arrived = () => ['one', 'two', 'three'].every((name) => sent(`${name} test`));
      await until('all three are sent', arrived, 5_000);
      assert.ok(shares.mustWait(owner), 'the evaluation is still busy');
    } finally {
      clearInterval(busy);
    }
  });
});
