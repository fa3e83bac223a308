import assert from 'node:assert/strict';
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import fc from 'fast-check';
import { TOOLS } from '../../../src/api/mcp';
import { buildAlarm } from '../../support/alarm';
import { apiClient } from '../../support/api-client';
import { readDocument } from '../../support/api-document';
import { registerApplication } from '../../support/applications';
import { composeRequest, idsOf, send } from '../../support/composed-request';
import { buildEstate } from '../../support/estate';
import { buildSensor, createKey, upload } from '../../support/factories';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';
import { OAuth2Flow } from '../../support/oauth2';
import { rawRequest } from '../../support/raw-request';

const MOST_BYTES = 8_000;
const PROPOSING = ['read', 'rules:propose'];
const NAMES = TOOLS.map(({ name }) => name);
const RUNS = 40;

describe('tools for agents', () => {
  const platform = usePlatform();
  const receiver = useReceiver();
  const user = useUserPerTest(platform);
  const clients: Client[] = [];

  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
  });

  const keyOf = async (scopes: readonly string[], more = {}) => (await createKey(user, { scopes, ...more })).secret;
  const connect = async (secret: string): Promise<Client> => {
    const client = new Client({ name: 'test', version: '1' });
    const headers = { Authorization: `Bearer ${secret}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${platform.url}/mcp`), { requestInit: { headers } }),
    );
    clients.push(client);
    return client;
  };
  const call = async (client: Client, name: string, args: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const [{ text }] = content as [{ text: string }]; // every answer is one text
    assert.ok(Buffer.byteLength(text) <= MOST_BYTES, `${name}: ${Buffer.byteLength(text)} bytes`);
    return { text, isError: isError === true };
  };
  const answerOf = async (client: Client, name: string, args: Record<string, unknown> = {}) => {
    const { text, isError } = await call(client, name, args);
    assert.equal(isError, false, text);
    return JSON.parse(text);
  };

  it('are found by a client that knows their address only, whose user allows it', async () => {
    const url = new URL(`${platform.url}/mcp`);
    const callback = 'http://127.0.0.1:33418/back';
    const application = await registerApplication(user, { type: 'native', callback_url: callback });
    const flow = new OAuth2Flow(platform, application);
    const kept: { tokens?: OAuthTokens; verifier?: string; asked?: URL } = {};
    const authProvider: OAuthClientProvider = {
      redirectUrl: callback,
      clientMetadata: { redirect_uris: [callback], scope: PROPOSING.join(' ') },
      clientInformation: () => ({ client_id: application.consumer_key }),
      tokens: () => kept.tokens,
      saveTokens: (tokens) => void Object.assign(kept, { tokens }),
      redirectToAuthorization: (asked) => void Object.assign(kept, { asked }),
      saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
      codeVerifier: () => kept.verifier ?? assert.fail('no verifier'),
    };
    const transport = new StreamableHTTPClientTransport(url, { authProvider });
    await assert.rejects(new Client({ name: 'test', version: '1' }).connect(transport), UnauthorizedError);
    const { pathname, search } = kept.asked ?? assert.fail('nobody was asked');
    const code = (await flow.decide(user, `${pathname}${search}`)).get('code') ?? assert.fail('no code');
    await transport.finishAuth(code);
    const client = new Client({ name: 'test', version: '1' });
    clients.push(client);
    await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
    assert.equal((await client.listTools()).tools.length, TOOLS.length);
    await buildSensor(user, { name: 'freezer' });
    const { list: sensors } = await answerOf(client, 'find_sensors');
    assert.deepEqual(
      sensors.map(({ name }: { name: string }) => name),
      ['freezer'],
    );
  });

  it('say with a refusal where a token is to be had, whatever was wrong with the one that came', async () => {
    const metadata = `${platform.url}/.well-known/oauth-protected-resource/mcp`;
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const challengeFor = async (given: Record<string, string>) => {
      const { status, headers } = await platform.anonymous.post('/mcp', message, given);
      assert.equal(status, 401);
      return headers.get('www-authenticate');
    };
    assert.equal(await challengeFor({}), `Bearer resource_metadata="${metadata}"`);
    const wrong = { Authorization: 'Bearer oat_unknown' };
    assert.equal(await challengeFor(wrong), `Bearer error="invalid_token", resource_metadata="${metadata}"`);
    const { body } = await platform.anonymous.get('/.well-known/oauth-protected-resource/mcp');
    assert.deepEqual([body.resource, body.authorization_servers], [`${platform.url}/mcp`, [platform.url]]);
    assert.equal((await platform.anonymous.post('/.well-known/oauth-protected-resource/mcp', {})).status, 405);
  });

  it('are those that the scopes of the key allow', async () => {
    const listed = async (scopes: string[]) =>
      (await (await connect(await keyOf(scopes))).listTools()).tools.map(({ name }) => name).sort();
    const proposing = TOOLS.filter(({ scope }) => scope === 'rules:propose').map(({ name }) => name);
    assert.deepEqual(await listed(['read']), NAMES.filter((name) => !proposing.includes(name)).sort());
    assert.deepEqual(await listed(PROPOSING), [...NAMES].sort());
    assert.deepEqual(await listed(['write']), [...proposing].sort());
  });

  it('find a sensor, read it with its unit in the zone of the account, and explain its alert', async () => {
    await user.api.put(`/users/${user.id}`, { user: { timezone: 'Europe/Amsterdam' } });
    const { sensorId } = await buildAlarm(user, {
      sensor: { name: 'cold room', unit: '°C' },
      trigger: { name: 'too warm', expression: 'sensor_data_value > 8', repeat: 0 },
      notifications: [{ destination: receiver.url }],
    });
    await user.api.put(`/sensors/${sensorId}/metatags`, { metatags: { shop: ['3'] } });
    await upload(user, sensorId, { value: 4.5, date: Date.parse('2026-07-01T10:00:00Z') / 1000 });
    await upload(user, sensorId, { value: 9.5 });
    await platform.settle();
    const client = await connect(await keyOf(['read']));
    const { list: sensors } = await answerOf(client, 'find_sensors', { labels: { shop: '3' }, state: 'firing' });
    assert.deepEqual([sensors.length, sensors[0].id, sensors[0].last.value], [1, sensorId, '9.5 °C']);
    const range = { start: '2026-07-01T00:00:00Z', end: '2026-07-02T00:00:00Z' };
    const { list: points } = await answerOf(client, 'read_data', { sensor_id: sensorId, ...range });
    assert.deepEqual([points[0].value, points[0].date], ['4.5 °C', '2026-07-01T12:00:00+02:00']);
    const day = await answerOf(client, 'read_intervals', { sensor_id: sensorId, ...range, interval: 'day' });
    assert.deepEqual([day.list[0].date, day.list[0].max], ['2026-07-01T00:00:00+02:00', '4.5 °C']);
    const { list: alerts } = await answerOf(client, 'list_alerts', { state: 'firing' });
    assert.deepEqual([alerts.length, alerts[0].sensor_name], [1, 'cold room']);
    const why = await answerOf(client, 'explain_alert', { alert_id: alerts[0].id });
    assert.equal(why.alert.trigger_name, 'too warm');
    assert.ok(why.list.some(({ fired }: { fired: boolean }) => fired));
  });

  it('try a changed rule on stored data and as a shadow, which changes nothing', async () => {
    const { sensorId, triggerId } = await buildAlarm(user, {
      trigger: { expression: 'sensor_data_value > 8', repeat: 0 },
      notifications: [{ destination: receiver.url }],
    });
    for (const value of [9, 1, 12, 1]) await upload(user, sensorId, { value });
    await platform.settle();
    const client = await connect(await keyOf(PROPOSING));
    const start = new Date(Date.now() - 3_600_000).toISOString();
    const tried = await answerOf(client, 'backtest_rule', {
      trigger_id: triggerId,
      sensor_ids: [sensorId],
      start,
      expression: 'sensor_data_value > 10',
    });
    assert.deepEqual([tried.summary.episodes, tried.comparison.summary.episodes], [1, 1]);
    const opened = await answerOf(client, 'open_shadow', { trigger_id: triggerId, hold: 600, days: 3 });
    assert.equal(opened.shadow.trigger_id, triggerId);
    assert.equal((await answerOf(client, 'read_shadow', { trigger_id: triggerId })).shadow.trigger.hold, 600);
    const { text } = await call(client, 'export_rules');
    assert.match(text, /^# yaml-language-server|^set:/m);
    const plan = await answerOf(client, 'plan_rules', { document: text, days: 1 });
    assert.ok(plan.list.length > 0 && typeof plan.digest === 'string');
    await answerOf(client, 'close_shadow', { trigger_id: triggerId });
    const { trigger } = (await user.api.get(`/triggers/${triggerId}`)).body;
    assert.deepEqual([trigger.hold, trigger.version, trigger.has_shadow], [0, 1, false]);
  });

  it('answer within 8,000 bytes, and say what they left out', async () => {
    const sensorId = await buildSensor(user, { data_type: 'json' });
    const data = Array.from({ length: 100 }, (_, n) => ({ value: { text: 'ä'.repeat(100) }, date: n + 1 }));
    assert.equal((await user.api.post(`/sensors/${sensorId}/data`, { data })).status, 201);
    const client = await connect(await keyOf(['read']));
    const { list, left_out } = await answerOf(client, 'read_data', { sensor_id: sensorId, limit: 100 });
    assert.ok(list.length > 5);
    assert.equal(list.length + left_out, 100);
  });

  it('refuse what the key may not do, and say why', async () => {
    const other = await platform.user();
    const foreign = await buildSensor(other);
    const own = await buildSensor(user);
    const client = await connect(await keyOf(['read']));
    const refused = await call(client, 'read_data', { sensor_id: foreign });
    assert.deepEqual([refused.isError, JSON.parse(refused.text).code], [true, 'not_found']);
    const wrong = await call(client, 'read_data', { sensor_id: own, start: 'yesterday' });
    assert.ok(wrong.isError && /start_date must be a time/.test(wrong.text), wrong.text);
    const unknown = await call(client, 'open_shadow', { trigger_id: '1' });
    assert.ok(unknown.isError, unknown.text);
    const limited = await connect(await keyOf(['read'], { sensors: [own] }));
    assert.equal((await call(limited, 'list_rules')).isError, true);
    assert.equal((await call(limited, 'read_data', { sensor_id: own })).isError, false);
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const post = (body: unknown, headers = {}) =>
      rawRequest(platform.url, '/mcp', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
        body: JSON.stringify(body),
      });
    assert.equal((await post(message)).status, 401);
    assert.equal((await post(message, { Authorization: 'Bearer key_wrong' })).status, 401);
    assert.equal((await post([message, message], { 'X-SESSION_ID': user.session })).status, 400);
    assert.equal((await post(message, { 'X-SESSION_ID': user.session })).status, 200);
    assert.equal((await rawRequest(platform.url, '/mcp')).status, 405);
  });

  it('never change a rule or a delivery with the scope to propose, whatever is called in whatever order', async function () {
    this.timeout(300_000);
    const estate = await buildEstate(platform, user);
    await platform.settle();
    const document = await readDocument(platform);
    const secret = await keyOf(PROPOSING);
    const client = await connect(secret);
    const api = apiClient(platform.url, { Authorization: `Bearer ${secret}` });
    const tables = [
      'triggers',
      'notifications',
      'mutes',
      'deliveries',
      'trigger_notifications',
      'sensor_triggers',
      'firings',
    ];
    const state = async () =>
      Object.fromEntries(
        await Promise.all(
          tables.map(async (name) => [name, await platform.query(`SELECT * FROM ${name} ORDER BY 1, 2`)]),
        ),
      );
    const before = await state();
    const args = fc.record(
      {
        trigger_id: fc.constantFrom(estate.ids.trigger, '0', '99999'),
        sensor_id: fc.constant(estate.ids.sensor),
        alert_id: fc.constant(estate.ids.firing),
        start: fc.constantFrom('2026-01-01T00:00:00Z', 'x'),
        document: fc.constantFrom('set: a\ntriggers:\n  - name: b\n    expression: "true"\n', '{', 'set: a'),
        hold: fc.nat(100),
        expression: fc.constantFrom('true', 'sensor_data_value > 1', ')('),
        days: fc.integer({ min: 1, max: 7 }),
      },
      { requiredKeys: [] },
    );
    const tool = fc.record({ name: fc.constantFrom(...NAMES), args });
    const operation = fc.constantFrom(...document.operations.filter(({ method }) => method !== 'get'));
    const steps = fc.array(fc.oneof(tool, operation), { minLength: 1, maxLength: 6 });
    let called = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (chosen) => {
        for (const step of chosen) {
          called += 1;
          if ('args' in step) await client.callTool({ name: step.name, arguments: step.args });
          else await send(api, composeRequest(step, document, idsOf(estate)));
        }
        await platform.settle();
        assert.deepEqual(await state(), before);
      }),
      { numRuns: RUNS },
    );
    console.log(`      ${called} calls of tools and operations`);
  });
});
