import assert from 'node:assert/strict';
import { type Client, createClient, type LiveMessage, type LivePoint, StreamEnded } from '../../client/src';
import { buildSensor, createKey, upload } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';

const DATE = 1_795_229_544;

describe('streams of the client', () => {
  const platform = usePlatform();
  const ada = useUser(platform);

  /** A client whose connections break after so many pieces of a stream. */
  const breaking = (pieces: number): Client =>
    createClient({
      baseUrl: platform.url,
      session: ada.session,
      fetch: async (request) => {
        const response = await fetch(request);
        let left = pieces;
        const cut = new TransformStream<Uint8Array, Uint8Array>({
          transform: (chunk, controller) => {
            if (left-- > 0) controller.enqueue(chunk);
            else controller.error(new Error('cut'));
          },
        });
        return new Response(response.body?.pipeThrough(cut), { status: response.status, headers: response.headers });
      },
    });

  it('go on by themselves behind their cursor, whatever breaks', async () => {
    const id = await buildSensor(ada);
    const seen: string[] = [];
    let value = 0;
    for await (const message of breaking(2).live([id])) {
      if (message.event === 'data') seen.push(message.data.value);
      if (seen.length >= 4) break;
      if (message.event !== 'open') continue;
      for (let count = 0; count < 2; count += 1) {
        value += 1;
        await upload(ada, id, { value, date: DATE + value });
      }
    }
    assert.deepEqual(seen, ['1', '2', '3', '4']);
  });

  it('end when their caller wants them to', async () => {
    const id = await buildSensor(ada);
    const stop = new AbortController();
    const client = createClient({ baseUrl: platform.url, session: ada.session });
    const messages: LiveMessage<LivePoint>[] = [];
    for await (const message of client.live(id, { signal: stop.signal })) {
      messages.push(message);
      stop.abort();
    }
    assert.deepEqual(
      messages.map(({ event }) => event),
      ['open'],
    );
  });

  it('fail when the platform refuses them, or ends them for good', async () => {
    const { id, secret } = await createKey(ada, { scopes: ['read'] });
    const sensorId = await buildSensor(ada);
    const device = createClient({ baseUrl: platform.url, key: secret });
    await assert.rejects(device.live('999999').next(), { status: 404 });
    const stream = device.live(sensorId);
    await stream.next();
    await ada.api.delete(`/keys/${id}`);
    await assert.rejects(stream.next(), (error: unknown) => {
      assert.ok(error instanceof StreamEnded);
      assert.equal(error.reason, 'credential_ended');
      return true;
    });
    await assert.rejects(device.liveFirings().next(), { status: 401, code: 'invalid_token' });
  });
});
