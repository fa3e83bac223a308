import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { useWarmHall } from '../../support/warm-hall';

type Fields = Record<string, unknown>;

describe('the link of a delivery that acknowledges its alert', () => {
  const { clock, platform, receiver, user, other, build, send } = useWarmHall();

  const linkOf = () => new URL(JSON.parse(receiver.received[0]?.rawBody ?? '{}').link);
  const follow = (link: URL, method: 'get' | 'post' = 'post') => other.api[method](`${link.pathname}${link.search}`);
  const buildLinked = async () => {
    const built = await build({ body: { link: '{{acknowledge_url}}' } });
    await send(built.sensorId, 31);
    return built;
  };
  const acknowledged = async () => (await user.api.get('/firings')).body.firings[0].acknowledged;

  it('acknowledges by POST without a session, twice as well, and not by a GET of a scanner', async () => {
    await buildLinked();
    assert.equal((await follow(linkOf(), 'get')).status, 200);
    assert.equal(await acknowledged(), null);
    assert.equal((await follow(linkOf())).status, 200);
    const { note } = await acknowledged();
    assert.equal(note, `by the link in ${new URL(receiver.url).host}`);
    assert.equal((await follow(linkOf())).status, 200);
  });

  it('names the person of its notification, in the record and in what is sent about it', async () => {
    const { id } = await buildLinked();
    await user.api.put(`/notifications/${id}`, {
      notification: {
        person: 'Grace',
        body_acknowledged: { by: '{{acknowledged_by}}' },
      },
    });
    assert.equal((await follow(linkOf())).status, 200);
    const { date: _, note: __, ...by } = await acknowledged();
    assert.deepEqual(by, { user_id: user.id, username: null, person: 'Grace' });
    const page = await follow(linkOf(), 'get');
    assert.match(String(page.body), /by Grace/);
    await platform.settle();
    assert.deepEqual(JSON.parse(receiver.received.at(-1)?.rawBody ?? ''), { by: 'Grace' });
    assert.equal((await user.api.get(`/notifications/${id}`)).body.notification.person, 'Grace');
  });

  it('is no link that a receiver can make with the signing secret, for any firing of its owner', async () => {
    const { id } = await buildLinked();
    const { signing_secret: secret } = (await user.api.get(`/notifications/${id}`)).body.notification;
    const [firing] = (await user.api.get('/firings')).body.firings;
    const forged = createHmac('sha256', secret).update(`acknowledge by notification\n${id}\n${firing.id}`).digest();
    const path = `/acknowledge?token=n${id}-${firing.id}.${forged.toString('base64url')}`;
    assert.deepEqual([(await other.api.get(path)).status, (await other.api.post(path)).status], [404, 404]);
    assert.equal(await acknowledged(), null);
  });

  it('is dead for a firing that was not delivered to its notification', async () => {
    await buildLinked();
    const link = linkOf();
    await platform.query('UPDATE deliveries SET firing_id = NULL WHERE owner_id = ?', [user.id]);
    assert.equal((await follow(link)).status, 404);
    assert.equal(await acknowledged(), null);
  });

  it('is dead while the account is disabled', async () => {
    await buildLinked();
    const link = linkOf();
    const { userControl } = platform.container.services.operations;
    const account = { userId: Number(user.id), username: user.username, operator: 'test' };
    await userControl.disable(account);
    const answers = [await follow(link, 'get'), await follow(link)];
    await userControl.enable(account);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 404],
    );
    assert.ok(!JSON.stringify(answers.map(({ body }) => body)).includes('hall'), 'the page names nothing');
    assert.equal(await acknowledged(), null);
    assert.equal((await follow(link)).status, 200);
  });

  it('is dead when the episode has ended, and for any other firing', async () => {
    const { sensorId } = await buildLinked();
    const link = linkOf();
    const token = link.searchParams.get('token') ?? '';
    for (const [wrong, status] of [
      [token.replace(/-\d+/, '-999999'), 404],
      [`${token.slice(0, -2)}xx`, 404],
      ['n1', 400],
    ] as const) {
      assert.equal((await other.api.post(`/acknowledge?token=${wrong}`)).status, status, wrong);
    }
    await send(sensorId, 1);
    assert.equal((await follow(link)).status, 409);
    assert.equal(await acknowledged(), null);
  });

  it('reports the acknowledgement to the receiver once, between the alert and its end', async () => {
    const { sensorId } = await build({
      body: { do: 'open', key: '{{episode}}', link: '{{acknowledge_url}}' },
      body_resolved: { do: 'close', key: '{{episode}}', state: '{{state}}' },
      body_acknowledged: { do: 'take', key: '{{episode}}', title: '{{title}}', text: '{{text}}' },
      destination_acknowledged: `${receiver.url}/{{episode}}/take`,
    });
    receiver.responses.push(503);
    await send(sensorId, 31);
    const link = linkOf();
    assert.equal((await follow(link)).status, 200);
    assert.equal((await follow(link)).status, 200);
    await platform.settle();
    await send(sensorId, 1);
    assert.equal(receiver.received.length, 1, 'both wait for the alert');
    for (let minute = 0; minute < 5; minute += 1) {
      clock.advance(60_000);
      await platform.container.heartbeat.beat();
      await platform.settle();
    }
    const key = (await user.api.get('/firings')).body.firings[0].id;
    const [, ...sent] = receiver.received.map(({ path, rawBody }) => ({ path, ...JSON.parse(rawBody) }));
    assert.deepEqual(
      sent.map(({ link: _, ...rest }) => rest),
      [
        { path: '/', do: 'open', key },
        { path: `/${key}/take`, do: 'take', key, title: 'Acknowledged: Critical: warm on hall', text: '31 degrees' },
        { path: '/', do: 'close', key, state: 'resolved' },
      ],
    );
    const { deliveries } = (await user.api.get('/deliveries')).body;
    assert.deepEqual(
      deliveries.map(({ acknowledged: isOne, resolved, status }: Fields) => [isOne, resolved, status]),
      [
        [false, false, 'delivered'],
        [true, false, 'delivered'],
        [false, true, 'delivered'],
      ],
    );
  });

  it('mutes its trigger on its sensor, for an hour or at most twelve, in one mute that names the link', async () => {
    const { sensorId, triggerId } = await buildLinked();
    const link = linkOf();
    const token = link.searchParams.get('token') ?? '';
    const mute = (until?: number) =>
      other.api.post(`/acknowledge/mute?token=${token}${until === undefined ? '' : `&until=${until}`}`);
    const mutes = async () => (await user.api.get('/mutes')).body.mutes;
    const now = clock.now() / 1000;
    for (const until of [now - 1, now + 12 * 3_600 + 60]) {
      const { status, body } = await mute(until);
      assert.deepEqual([status, Object.keys(body.fields)], [400, ['until']]);
    }
    assert.equal((await other.api.post('/acknowledge/mute?token=n1-2.x')).status, 400);
    assert.equal((await other.api.post(`/acknowledge/mute?token=${token.slice(0, -2)}xx`)).status, 404);
    assert.deepEqual(await mutes(), []);
    assert.equal((await mute()).status, 200);
    assert.equal((await mute(now + 7_200)).status, 200);
    const [made, ...more] = await mutes();
    assert.deepEqual(more, []);
    assert.deepEqual(
      [made.name, made.sensors, made.triggers, made.start, made.end, made.weekly],
      [`by the link in ${new URL(receiver.url).host}`, [sensorId], [triggerId], now, now + 7_200, null],
    );
    assert.equal((await user.api.get('/firings')).body.firings[0].muted_now.by, 'mute');
    assert.deepEqual((await other.api.get('/mutes')).body.mutes, []);
    await send(sensorId, 1);
    assert.equal((await mute()).status, 409, 'the episode has ended');
  });

  it('keeps no mute beyond the limit of its owner', async () => {
    await buildLinked();
    const token = linkOf().searchParams.get('token') ?? '';
    for (let index = 0; index < 100; index += 1) {
      await user.api.post('/mutes', { mute: { name: `night ${index}`, start: 1, end: clock.now() / 1000 + 60 } });
    }
    const { status, body } = await other.api.post(`/acknowledge/mute?token=${token}`);
    assert.deepEqual([status, body.error], [409, 'you have 100 mutes, which is as many as you can']);
  });

  it('stands in JSON as well, and not at the end', async () => {
    const { sensorId } = await build({ format: 'json' });
    await send(sensorId, 31);
    await send(sensorId, 1);
    const [fired, ended] = receiver.received.map(({ rawBody }) => JSON.parse(rawBody).data);
    assert.match(fired.acknowledge_url, /\/acknowledge\?token=n/);
    assert.equal(ended.acknowledge_url, undefined);
  });
});
