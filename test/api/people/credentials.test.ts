import assert from 'node:assert/strict';
import {
  type Access,
  accessOf,
  callAll,
  formatTable,
  inHarmlessOrder,
  type Requirement,
  requirementOf,
} from '../../support/access-table';
import { type Api, type ApiResponse, apiClient } from '../../support/api-client';
import { type ApiDocument, type Operation, readDocument } from '../../support/api-document';
import { registerApplication } from '../../support/applications';
import { composeRequest, idsOf, send } from '../../support/composed-request';
import { buildEstate, type Estate, type Kind } from '../../support/estate';
import { buildSensor, createKey } from '../../support/factories';
import { usePlatform } from '../../support/hooks';
import { obtainAccess, signedApi } from '../../support/oauth1';
import { OAuth2Flow } from '../../support/oauth2';
import type { Platform } from '../../support/platform';

/** What credentials with these scopes get at, as the contract has it. */
const HELD: Record<string, readonly Requirement[]> = {
  read: ['read'],
  'data:write': ['data:write'],
  'rules:propose': ['rules:propose'],
  write: ['data:write', 'rules:propose', 'write'],
  'read write': ['read', 'data:write', 'rules:propose', 'write'],
};

/** Keys and tokens by the names of their columns, with their scopes and how one gets them. */
const TOKENS: Record<
  string,
  { scopes: keyof typeof HELD; make: (platform: Platform, estate: Estate) => Promise<Api> }
> = {
  ...Object.fromEntries(
    Object.keys(HELD).map((scopes) => {
      const make = (platform: Platform, estate: Estate) => keyOf(platform, estate, { scopes: scopes.split(' ') });
      return [`key: ${scopes}`, { scopes, make }];
    }),
  ),
  'OAuth 1.0a': { scopes: 'read write', make: signed },
  'OAuth 2: read': { scopes: 'read', make: (platform, estate) => permitted(platform, estate, 'read') },
  'OAuth 2: write': { scopes: 'write', make: (platform, estate) => permitted(platform, estate, 'write') },
};

/** What a key with sensors reaches, as the contract has it; the rest is 403. */
const REACHED_WITH_SENSORS = [
  /^get \/sensors$/,
  /^(get|post) \/sensors\/data$/,
  /^get \/sensors\/data\/stream$/,
  /^post \/sensors\/find$/,
  /^get \/reports\/sensors$/,
  /^(get|put) \/sensors\/\{id\}$/,
  /^\w+ \/sensors\/\{id\}\/(?!users|invitations)/,
];

/** The history has addresses, and what was changed with other credentials. An export has the history. */
const REFUSED_TO_APPLICATIONS: ReadonlySet<string> = new Set([
  ...['listAudit', 'getAuditHead', 'listExports', 'createExport', 'getExport', 'cancelExport'],
]);

/** Ids of sensors, also of those that services write to. */
const SENSOR_KINDS: ReadonlySet<Kind> = new Set(['sensor', 'used sensor', 'service']);

describe('every operation, by every credential,', () => {
  const platform = usePlatform();
  const columns = new Map<string, Map<string, Access>>();
  let document: ApiDocument;
  /** Those that a key or a token may be allowed. */
  let open: Operation[];
  let bySession: Map<string, ApiResponse>;

  before(async () => {
    document = await readDocument(platform);
    await platform.startWorkers(['deliveries']); // a caller may wait for the result of a test of a notification
    open = inHarmlessOrder(document.operations.filter((one) => !['nothing', 'session'].includes(requirementOf(one))));
    const estate = await newEstate();
    bySession = await callAll(estate.user.api, open, document, estate);
  });

  after(() => {
    if (process.env.ACCESS_TABLE) console.log(formatTable(document.operations, columns));
  });

  const newEstate = async () => buildEstate(platform, await platform.user());
  const account = () => document.operations.filter((one) => requirementOf(one) === 'session');
  const nameOf = ({ method, path }: Operation) => `${method} ${path}`;
  const limitedTo = (estate: Estate, ...sensors: string[]) => keyOf(platform, estate, { sensors });

  /** Calls every operation with a new estate; records and returns the access to each. */
  const access = async (column: string, make: (estate: Estate) => Promise<Api>) => {
    const estate = await newEstate();
    const api = await make(estate);
    const closed = document.operations.filter((one) => !open.includes(one));
    const responses = new Map([
      ...(await callAll(api, closed, document, estate)),
      ...(await callAll(api, open, document, estate)),
    ]);
    columns.set(column, new Map([...responses].map(([name, response]) => [name, accessOf(response)])));
    return responses;
  };

  it('is allowed to a session', async () => {
    const found = new Map([...bySession].map(([name, response]) => [name, accessOf(response)]));
    const estate = await newEstate();
    for (const operation of account()) {
      // Some of them end the session.
      const { api } = await platform.user();
      const response = await send(api, composeRequest(operation, document, idsOf(estate)));
      found.set(operation.operationId, accessOf(response));
    }
    columns.set('session', found);
    assert.deepEqual(
      [...found].filter(([, one]) => one !== 'yes'),
      [],
    );
  });

  for (const [column, { scopes, make }] of Object.entries(TOKENS)) {
    it(`is allowed by ${column} if it requires what that holds, and then answered as to a session`, async () => {
      const responses = await access(column, (estate) => make(platform, estate));
      const problems = document.operations.flatMap((operation) => {
        const { operationId } = operation;
        const requirement = requirementOf(operation);
        const isHeld = requirement === 'nothing' || HELD[scopes]?.includes(requirement);
        const expected = isHeld ? 'yes' : requirement === 'session' ? 'session' : 'scope';
        const actual = columns.get(column)?.get(operationId);
        const status = responses.get(operationId)?.status;
        // With fewer scopes something was not done that others need.
        const isRefused = column.startsWith('OAuth') && REFUSED_TO_APPLICATIONS.has(operationId);
        const expectedStatus = isRefused ? 403 : bySession.get(operationId)?.status;
        const isSame = scopes !== 'read write' || !open.includes(operation) || status === expectedStatus;
        return actual === expected && isSame
          ? []
          : [`${nameOf(operation)}: ${actual}, ${status} instead of ${expected}`];
      });
      assert.deepEqual(problems, []);
    });
  }

  it('is allowed to a key with a sensor if it is about this sensor, and then answered as to a session', async () => {
    const responses = await access('key: sensors', (estate) => limitedTo(estate, estate.ids.sensor));
    const problems = document.operations.flatMap((operation) => {
      const requirement = requirementOf(operation);
      const isReached = REACHED_WITH_SENSORS.some((pattern) => pattern.test(nameOf(operation)));
      const actual = columns.get('key: sensors')?.get(operation.operationId);
      const expected: Access =
        requirement === 'session' ? 'session' : requirement === 'nothing' || isReached ? 'yes' : 'sensors';
      const body = JSON.stringify(responses.get(operation.operationId)?.body);
      return actual === expected ? [] : [`${nameOf(operation)}: ${actual} instead of ${expected}: ${body}`];
    });
    // The connected sensor in its path is another one.
    assert.deepEqual(
      problems.map((problem) => problem.split(': ')[0]),
      ['delete /sensors/{id}/sensors/{sensor_id}'],
    );
  });

  it('is refused to a key with a sensor wherever it names another sensor of the same user', async () => {
    const estate = await newEstate();
    const other = await newEstateOf(estate);
    const api = await limitedTo(estate, estate.ids.sensor);
    const problems: string[] = [];
    let places = 0;
    for (const operation of open.filter((one) => REACHED_WITH_SENSORS.some((pattern) => pattern.test(nameOf(one))))) {
      const named: string[] = [];
      composeRequest(operation, document, (kind, at) => {
        if (SENSOR_KINDS.has(kind)) named.push(at);
        return '1';
      });
      for (const place of named) {
        const request = composeRequest(operation, document, (kind, at) =>
          at === place ? other.ids[kind] : estate.ids[kind],
        );
        const { status, body } = await send(api, request);
        places += 1;
        if (status === 404 && !JSON.stringify(body).includes(other.marker)) continue;
        problems.push(`${nameOf(operation)} in ${place}: ${status} ${JSON.stringify(body)}`);
      }
    }
    assert.deepEqual(problems, []);
    assert.ok(places > 40, String(places));
  });

  /** A second estate of the same user, whose records the key does not name. */
  const newEstateOf = async ({ user }: Estate): Promise<Estate> => {
    const marker = `another-of-${user.username}`;
    return buildEstate(platform, user, marker);
  };

  it('lists for a key with sensors only these', async () => {
    const estate = await newEstate();
    const [mine, other] = [estate.ids.sensor, await buildSensor(estate.user)];
    await estate.user.api.post(`/sensors/${mine}/sensors`, { sensor: { id: other } });
    const list = async (api: Api) => ({
      all: (await api.get('/sensors')).body,
      full: (await api.get('/sensors?details=full&owned=1')).body,
      used: (await api.get(`/sensors/${mine}/sensors?total=1`)).body,
      found: (await api.post('/sensors/find?total=1&sensor_owner=all', { filter: {} })).body,
    });
    const idsIn = ({ sensors, total }: { sensors: { id: string }[]; total: number }) => [
      sensors.map(({ id }) => id).sort(),
      total,
    ];
    const limited = await list(await limitedTo(estate, mine));
    assert.deepEqual(Object.values(limited).map(idsIn), [
      [[mine], 1],
      [[mine], 1],
      [[], 0],
      [[mine], 1],
    ]);
    const both = await list(await limitedTo(estate, mine, other));
    const expected = [mine, other].sort();
    assert.deepEqual(Object.values(both).map(idsIn), [
      [expected, 2],
      [expected, 2],
      [[other], 1],
      [expected, 2],
    ]);
    const gone = await limitedTo(estate, other);
    await estate.user.api.delete(`/sensors/${other}`);
    assert.deepEqual(idsIn((await gone.get('/sensors')).body), [[], 0]);
    assert.equal((await gone.get(`/sensors/${mine}`)).status, 404, 'a key without sensors left reaches nothing');
    assert.equal((await gone.get('/triggers')).status, 403);
  });
});

async function keyOf({ url }: Platform, { user }: Estate, fields: Record<string, unknown>): Promise<Api> {
  return bearing(url, (await createKey(user, fields)).secret);
}

async function signed(platform: Platform, { user }: Estate): Promise<Api> {
  const application = await registerApplication(user);
  return signedApi(platform.url, application, await obtainAccess(platform, { user, application }));
}

async function permitted(platform: Platform, { user }: Estate, scope: string): Promise<Api> {
  const flow = new OAuth2Flow(platform, await registerApplication(user));
  return bearing(platform.url, (await flow.tokens(user, { scope })).access_token);
}

function bearing(url: string, token: string): Api {
  return apiClient(url, { Authorization: `Bearer ${token}` });
}
