import assert from 'node:assert/strict';
import { buildNotification, create } from '../support/factories';
import { usePlatform, useReceiver, useUser } from '../support/hooks';
import { until } from '../support/until';

/** More computing time than an owner may have used recently; half of it is forgotten after two seconds. */
const TOO_MUCH_MS = 1_700;

describe('the computing time of templates', () => {
  const platform = usePlatform();
  const [anna, ben] = [useUser(platform), useUser(platform)];
  const receiver = useReceiver();
  before(() => platform.startWorkers(['deliveries']));

  const send = async (user: typeof anna, notification: object) => {
    const id = await buildNotification(user, { destination: receiver.url, ...notification });
    return (await create(user, `/notifications/${id}/test?wait=0`, {})).delivery.id as string;
  };
  const sent = (text: string) => receiver.received.some(({ rawBody }) => rawBody.includes(text));

  it('is charged to their owner: beyond a share their deliveries wait, without a counted attempt', async () => {
    platform.container.shares.charge(Number(anna.id), TOO_MUCH_MS, 1);
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

  it('grows with each rendering, and not with a plain body', async () => {
    const shares = platform.container.shares;
    await send(anna, { text: 'plain' });
    await until('the plain one is sent', () => sent('plain'));
    const before = shares.usedMs(Number(anna.id));
    await send(anna, { body: { text: '{{kind}}' } });
    await until('the other is sent', () => receiver.received.length === 2);
    assert.notEqual(shares.usedMs(Number(anna.id)), before);
  });
});
