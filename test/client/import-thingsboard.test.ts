import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKey } from '../support/factories';
import { usePlatform, useUserPerTest } from '../support/hooks';
import {
  countIn,
  metatagsOf,
  runImportCommand,
  sensorNamed,
  sensorsByName,
  startImportCommand,
  storedIn,
} from '../support/import-command';
import { until } from '../support/until';

type Points = { ts: number; value: unknown }[];

interface Device {
  id: { entityType: 'DEVICE'; id: string };
  createdTime: number;
  name: string;
  type: string;
  label: string | null;
}

const BEGIN = 1_700_000_000_000;

const numeric = (operation: string, defaultValue: number, sourceAttribute: string | null = null) => ({
  type: 'NUMERIC',
  operation,
  value: {
    defaultValue,
    userValue: null,
    dynamicValue: sourceAttribute ? { sourceType: 'CURRENT_DEVICE', sourceAttribute, inherit: false } : null,
  },
});
const ruleOn = (key: string, predicate: object, spec: object, schedule: object | null = null) => ({
  condition: { condition: [{ key: { type: 'TIME_SERIES', key }, valueType: 'NUMERIC', value: null, predicate }], spec },
  schedule,
  alarmDetails: null,
  dashboardId: null,
});
const SIMPLE = { type: 'SIMPLE' };
const FIVE_MINUTES = {
  type: 'DURATION',
  unit: 'MINUTES',
  predicate: { defaultValue: 5, userValue: null, dynamicValue: null },
};

/** As in https://thingsboard.io/docs/user-guide/device-profiles/#alarm-rules */
const PROFILE = {
  id: { entityType: 'DEVICE_PROFILE', id: 'p1' },
  name: 'freezer',
  type: 'DEFAULT',
  profileData: {
    alarms: [
      {
        id: 'a1',
        alarmType: 'High Temperature',
        createRules: {
          CRITICAL: ruleOn('temperature', numeric('GREATER', -10), FIVE_MINUTES),
          WARNING: ruleOn('temperature', numeric('GREATER_OR_EQUAL', -15), SIMPLE),
        },
        clearRule: ruleOn('temperature', numeric('LESS', -18), SIMPLE),
        propagate: false,
      },
      {
        id: 'a2',
        alarmType: 'Limit',
        createRules: { MAJOR: ruleOn('temperature', numeric('GREATER', 0, 'limit'), SIMPLE) },
        clearRule: null,
      },
      {
        id: 'a3',
        alarmType: 'Nights',
        createRules: { MINOR: ruleOn('temperature', numeric('LESS', 0), SIMPLE, { type: 'SPECIFIC_TIME' }) },
        clearRule: null,
      },
      {
        id: 'a4',
        alarmType: 'Often',
        createRules: { MINOR: ruleOn('temperature', numeric('LESS', 0), { type: 'REPEATING' }) },
        clearRule: null,
      },
    ],
  },
};

/**
 * Answers as the published API: https://thingsboard.io/docs/reference/rest-api/ and
 * https://thingsboard.io/docs/user-guide/telemetry/#data-query-rest-api
 */
class ThingsBoard {
  readonly devices: Device[] = [];
  readonly telemetry = new Map<string, Record<string, Points>>();
  attributes: object[] = [];
  logins = 0;
  /** Requests after which the token has expired. */
  tokenLasts = Number.POSITIVE_INFINITY;
  private requests = 0;
  private server: Server | undefined;
  url = '';

  addDevice(name: string, telemetry: Record<string, Points>, label: string | null = null): void {
    const id = `784f394c-42b6-435a-983c-${String(this.devices.length).padStart(12, '0')}`;
    this.devices.push({ id: { entityType: 'DEVICE', id }, createdTime: BEGIN, name, type: 'freezer', label });
    this.telemetry.set(id, telemetry);
  }

  async start(): Promise<void> {
    this.server = createServer((request, response) => void this.answer(request, response));
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    this.server?.close();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    if (pathname === '/api/auth/login') {
      let text = '';
      for await (const part of request) text += part;
      const { username, password } = JSON.parse(text);
      if (username !== 'tenant@thingsboard.org' || password !== 'tenant') {
        return void send(401, { status: 401, message: 'Invalid username or password', errorCode: 10 });
      }
      this.logins += 1;
      this.requests = 0;
      return void send(200, { token: `token-${this.logins}`, refreshToken: 'r' });
    }
    this.requests += 1;
    const isValid =
      request.headers['x-authorization'] === `Bearer token-${this.logins}` && this.requests <= this.tokenLasts;
    if (!isValid) return void send(401, { status: 401, message: 'Token has expired', errorCode: 11 });
    send(200, this.read(pathname, searchParams));
  }

  private read(path: string, query: URLSearchParams): object {
    const page = (all: object[]) => {
      const [size, at] = [Number(query.get('pageSize')), Number(query.get('page'))];
      const data = all.slice(at * size, (at + 1) * size);
      return {
        data,
        totalPages: Math.ceil(all.length / size),
        totalElements: all.length,
        hasNext: (at + 1) * size < all.length,
      };
    };
    if (path === '/api/tenant/devices') return page(this.devices);
    if (path === '/api/deviceProfiles') return page([PROFILE]);
    if (path === '/api/ruleChains') return page([{ name: 'Root Rule Chain' }]);
    if (path === '/api/tenant/assets' || path === '/api/tenant/dashboards') return page([]);
    const [, id = '', what] = /^\/api\/plugins\/telemetry\/DEVICE\/([^/]+)\/(.*)$/.exec(path) ?? [];
    const telemetry = this.telemetry.get(id) ?? {};
    if (what === 'keys/timeseries') return Object.keys(telemetry);
    if (what === 'values/attributes') return this.attributes;
    assert.deepEqual([what, query.get('agg'), query.get('orderBy')], ['values/timeseries', 'NONE', 'ASC'], path);
    const key = query.get('keys') ?? '';
    const [from, to] = [Number(query.get('startTs')), Number(query.get('endTs'))];
    const points = (telemetry[key] ?? [])
      .filter(({ ts }) => ts >= from && ts < to)
      .slice(0, Number(query.get('limit')));
    return points.length === 0 ? {} : { [key]: points };
  }
}

const pointsOf = (count: number): Points =>
  Array.from({ length: count }, (_, i) => ({ ts: BEGIN + i * 1_000, value: String(i) }));

describe('sensors import thingsboard', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);
  let folder = '';
  let key = '';
  let board: ThingsBoard;
  const env = { THINGSBOARD_USER: 'tenant@thingsboard.org', THINGSBOARD_PASSWORD: 'tenant' };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'import-'));
    key = (await createKey(user)).secret;
    board = new ThingsBoard();
    await board.start();
  });
  afterEach(async () => {
    await board.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const argsOf = () => [
    'thingsboard',
    board.url,
    '--state',
    join(folder, 'state.json'),
    '--rules',
    join(folder, 'rules.yaml'),
  ];
  const run = () => runImportCommand(platform.url, key, argsOf(), { env });

  it('carries over devices, attributes, telemetry in pages and alarm rules, and lists the rest', async () => {
    board.tokenLasts = 7;
    board.attributes = [
      { lastUpdateTs: BEGIN, key: 'room', value: 'cellar' },
      { lastUpdateTs: BEGIN, key: 'active', value: true },
      { lastUpdateTs: BEGIN, key: 'configuration', value: 'x'.repeat(200) },
    ];
    board.addDevice('Freezer 1', { temperature: pointsOf(20_001), door: [{ ts: BEGIN, value: 'false' }] }, 'Cellar');
    board.addDevice('Freezer 2', {
      state: [
        { ts: BEGIN, value: 'defrost' },
        { ts: BEGIN + 5, value: '{"a":1}' },
      ],
    });
    board.addDevice('Spare', {});
    const { status, out, err } = await run();
    assert.equal(status, 0, out + err);
    assert.ok(board.logins > 1);
    assert.deepEqual([...(await sensorsByName(user)).keys()].sort(), [
      'Freezer 1/door',
      'Freezer 1/temperature',
      'Freezer 2/state',
    ]);
    assert.equal(await countIn(user, 'Freezer 1/temperature'), 20_001);
    assert.deepEqual(await storedIn(user, 'Freezer 2/state'), [
      '2023-11-14T22:13:20.000Z defrost',
      '2023-11-14T22:13:20.005Z {"a":1}',
    ]);
    const { display_name, data_type } = await sensorNamed(user, 'Freezer 1/door');
    assert.deepEqual([display_name, data_type], ['Cellar door', 'boolean']);
    assert.deepEqual(await metatagsOf(user, 'Freezer 1/temperature'), {
      room: ['cellar'],
      active: ['true'],
      device: ['Freezer 1'],
      device_profile: ['freezer'],
      telemetry_key: ['temperature'],
    });
    for (const line of [
      '1 × clear rules: an alert ends when its condition is no longer met: freezer: High Temperature',
      '1 × alarm rules with something else than a comparison with a constant: freezer: Limit (MAJOR)',
      '1 × alarm rules with a schedule: freezer: Nights (MINOR)',
      '1 × alarm rules with a number of repetitions, or a duration that an attribute gives: freezer: Often (MINOR)',
      '1 × rule chains: write triggers and services instead: /api/ruleChains',
      '1 × devices without telemetry: Spare',
      '3 × attributes that are too long for a metatag: Freezer 1: configuration; Freezer 2: configuration; Spare: configuration',
    ]) {
      assert.ok(out.includes(`\n  ${line}\n`), `${line}\n${out}`);
    }
    assert.match(
      out,
      /\n2 alarm rules are rules as text\. Look at them, and apply them: sensors rules plan .*rules\.yaml\n$/,
    );
  });

  it('writes alarm rules that the platform takes, for the sensors of their profile', async () => {
    board.addDevice('Freezer 1', { temperature: pointsOf(3), humidity: pointsOf(3) });
    assert.equal((await run()).status, 0);
    const document = readFileSync(join(folder, 'rules.yaml'), 'utf8');
    const headers = { 'Content-Type': 'application/yaml', Authorization: `Bearer ${key}` };
    const planned = await fetch(`${platform.url}/rules/plan?days=0`, { method: 'POST', headers, body: document });
    const { plan } = (await planned.json()) as { plan: { digest: string } };
    const applied = await fetch(`${platform.url}/rules/apply?digest=${plan.digest}`, {
      method: 'POST',
      headers,
      body: document,
    });
    assert.equal(applied.status, 200, JSON.stringify(await applied.json()));
    const { triggers } = (await user.api.get('/triggers')).body;
    assert.deepEqual(
      triggers
        .map(({ name, expression, hold, severity }: Record<string, unknown>) => [name, expression, hold, severity])
        .sort(),
      [
        ['freezer: High Temperature (CRITICAL)', 'sensor_data_value > -10', 300, 'critical'],
        ['freezer: High Temperature (WARNING)', 'sensor_data_value >= -15', 0, 'warning'],
      ],
    );
    const id = (await sensorsByName(user)).get('Freezer 1/temperature')?.id;
    await until('the rules are connected', async () => {
      await platform.settle();
      return (await user.api.get(`/sensors/${id}/triggers`)).body.triggers.length === 2;
    });
    const other = (await sensorsByName(user)).get('Freezer 1/humidity')?.id;
    assert.deepEqual((await user.api.get(`/sensors/${other}/triggers`)).body.triggers, []);
  });

  it('continues behind what is stored after it was killed', async () => {
    board.addDevice('A', { x: pointsOf(60_000) });
    board.addDevice('B', { x: pointsOf(60_000) });
    const state = join(folder, 'state.json');
    const killed = startImportCommand(platform.url, key, argsOf(), env);
    const ended = once(killed, 'exit');
    await until('a batch is acknowledged', () => existsSync(state) || killed.exitCode !== null);
    killed.kill('SIGKILL');
    await ended;
    assert.ok((await countIn(user, 'A/x')) + (await countIn(user, 'B/x')) < 120_000);
    const { status, out, err } = await run();
    assert.deepEqual([status, err], [0, 'An interrupted import continues.\n'], out);
    assert.deepEqual([await countIn(user, 'A/x'), await countIn(user, 'B/x')], [60_000, 60_000]);
    assert.match(out, /\n120,000 points of 2 series were read, 120,000 are stored\.\n/);
  });

  it('says why it cannot log in', async () => {
    const wrong = await runImportCommand(platform.url, key, argsOf(), { env: { ...env, THINGSBOARD_PASSWORD: 'no' } });
    assert.deepEqual(wrong, {
      status: 1,
      out: '',
      err: `${board.url}: the login was refused: 401 Invalid username or password\n`,
    });
    const without = await runImportCommand(platform.url, key, argsOf());
    assert.equal(without.err, 'THINGSBOARD_USER and THINGSBOARD_PASSWORD are not set\n');
  });
});
