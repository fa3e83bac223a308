import assert from 'node:assert/strict';
import { buildNotification } from '../../support/factories';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import { until } from '../../support/until';

/** Requests of a user that may wait at the same time. */
const MAY_WAIT = 3;

describe('a test of a notification', () => {
  const platform = usePlatform();
  const receiver = useReceiver();
  const user = useUserPerTest(platform);
  afterEach(() => platform.stopWorkers());

  const build = (fields: object = {}) => buildNotification(user, { destination: receiver.url, ...fields });
  const test = (id: string, wait = '') => user.api.post(`/notifications/${id}/test${wait}`);
  const made = async (count: number) => {
    const rows = await platform.query('SELECT id FROM deliveries WHERE owner_id = ?', [user.id]);
    return rows.length >= count;
  };

  it('answers with what the receiver answered', async () => {
    await platform.startWorkers(['deliveries']);
    receiver.responses.push((response) => response.writeHead(202).end('queued'));
    const id = await build();
    const { status, body, headers } = await test(id);
    const location = `${platform.url}/deliveries/${body.delivery.id}`;
    assert.deepEqual([status, headers.get('location')], [201, location]);
    assert.deepEqual([body.delivery.status, body.delivery.attempts.length], ['delivered', 1]);
    assert.deepEqual(body.test, { status: 'delivered', status_code: 202, response: 'queued', error: '' });
    receiver.responses.push((response) => response.writeHead(404).end('no_service'));
    const failed = (await test(id)).body;
    assert.deepEqual(failed.test, {
      status: 'failed',
      status_code: 404,
      response: 'no_service',
      error: 'the receiver answered 404',
    });
    assert.equal(failed.delivery.status, 'pending', 'it is tried again like any delivery');
  });

  it('says of a mail that it was handed over', async () => {
    await platform.startWorkers(['deliveries']);
    const { body } = await test(await build({ type: 'email', destination: 'ward@example.org' }));
    assert.deepEqual(body.test, { status: 'handed_over', status_code: null, response: '', error: '' });
  });

  it('is pending if no worker made an attempt in the time that the caller gives', async () => {
    const id = await build();
    for (const wait of ['?wait=0', '?wait=1']) {
      const { status, body } = await test(id, wait);
      assert.deepEqual([status, body.delivery.status], [201, 'pending']);
      assert.deepEqual(body.test, { status: 'pending', status_code: null, response: '', error: '' });
    }
    for (const wait of ['?wait=16', '?wait=-1', '?wait=long']) {
      const refused = await test(id, wait);
      assert.equal(refused.status, 400);
      assert.match(JSON.stringify(refused.body), /wait/);
    }
  });

  it('waits for few tests of a user at once, and holds up none of their other requests', async () => {
    const id = await build();
    const answered: string[] = [];
    const tests = Array.from({ length: MAY_WAIT + 1 }, async () => {
      answered.push((await test(id)).body.test.status);
    });
    await until('one is answered', () => answered.length > 0);
    for (let index = 0; index < 5; index += 1) {
      const changed = await user.api.put(`/notifications/${id}`, { notification: { text: `text ${index}` } });
      assert.equal(changed.status, 200);
    }
    assert.deepEqual(answered, ['pending']);
    await platform.startWorkers(['deliveries']);
    await Promise.all(tests);
    assert.deepEqual(answered, ['pending', ...Array(MAY_WAIT).fill('delivered')]);
  });

  it('stops waiting when the client has gone', async () => {
    const id = await build();
    const gone = new AbortController();
    const given = Array.from({ length: MAY_WAIT }, () =>
      fetch(`${platform.url}/notifications/${id}/test`, {
        method: 'POST',
        headers: { 'X-SESSION_ID': user.session },
        signal: gone.signal,
      }).catch(() => undefined),
    );
    await until('the tests are made', () => made(MAY_WAIT));
    assert.equal((await test(id, '?wait=0')).body.test.status, 'pending');
    gone.abort();
    await Promise.all(given);
    // Each of them left its place: the next one waits again.
    await until('there is room', async () => {
      const [next] = [test(id)];
      const first = await Promise.race([next, new Promise((resolve) => setTimeout(resolve, 500))]);
      if (first) return false;
      await platform.startWorkers(['deliveries']);
      assert.equal((await next)?.body.test.status, 'delivered');
      return true;
    });
  });
});
