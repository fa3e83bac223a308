import assert from 'node:assert/strict';
import { inHarmlessOrder } from '../../support/access-table';
import { type ApiDocument, type Operation, readDocument, successOf } from '../../support/api-document';
import { type ComposedRequest, composeRequest, idsOf, send } from '../../support/composed-request';
import { buildEstate, type Estate } from '../../support/estate';
import { join } from '../../support/groups';
import { usePlatform } from '../../support/hooks';
import { Mailbox } from '../../support/mailbox';
import type { Platform, TestUser } from '../../support/platform';
import { PREPARED } from '../../support/prepared-examples';

const READS = 'reads, with a long request';
const SENDS = 'sends something, and its delivery is the record of it';
const STORES = 'stores data points, which the history leaves out';

/** Operations that may change something and leave no record, and why. */
const NOT_RECORDED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['findSensors', 'findGroupSensors', 'previewNotification', 'testRules', 'planRules'].map((name) => [name, READS]),
  ),
  ...Object.fromEntries(['backtestRule', 'backtestTrigger'].map((name) => [name, READS])),
  ...Object.fromEntries(
    ['redeliver', 'redeliverNotification', 'testNotification', 'requestConfirmation'].map((name) => [name, SENDS]),
  ),
  requestPasswordReset: SENDS,
  ...Object.fromEntries(['uploadData', 'uploadSensorsData', 'addData'].map((name) => [name, STORES])),
  dismissShares: 'notes that the user has seen a notice',
  deleteUser: 'the history goes with the account',
};

/** Requests without a credential. */
const BY_VISITORS = [
  ...['createUser', 'login', 'resetPassword', 'unsubscribe', 'confirmAddress', 'acknowledgeByMail', 'muteByLink'],
];

type Prepare = (estate: Estate) => Promise<unknown>;

const off: Prepare = ({ user, ids }) =>
  user.api.put(`/sensors/${ids.sensor}/triggers/${ids.trigger}`, { trigger: { active: false } });
const disconnected: Prepare = ({ user, ids }) => user.api.delete(`/sensors/${ids.sensor}/triggers/${ids.trigger}`);

/** What the estate has already, or lacks, so that the example would change nothing. */
const BEFORE: Readonly<Record<string, Prepare>> = {
  connectSensor: ({ user, ids }) => user.api.delete(`/sensors/${ids.sensor}/sensors/${ids['used sensor']}`),
  shareSensor: ({ user, ids }) => user.api.delete(`/sensors/${ids.sensor}/users/${ids.reader}`),
  addGroupSensors: ({ user, ids }) => user.api.delete(`/groups/${ids.group}/sensors/${ids.sensor}`),
  addEnvironmentSensors: ({ user, ids }) => user.api.delete(`/environments/${ids.environment}/sensors/${ids.sensor}`),
  addSubEnvironments: ({ user, ids }) =>
    user.api.delete(`/environments/${ids.environment}/environments/${ids['sub environment']}`),
  attachDevice: ({ user, ids }) => user.api.delete(`/sensors/${ids.sensor}/device`),
  changeSensors: disconnected,
  connectTriggers: disconnected,
  updateSensorTrigger: off,
  updateSensorTriggerBySingular: off,
  activateSensorTrigger: off,
  deleteRetention: ({ user, ids }) => user.api.put(`/sensors/${ids.sensor}/retention`, { retention: { days: 7 } }),
  unpublishDashboard: ({ user, ids }) => user.api.post(`/dashboards/${ids.dashboard}/public`, {}),
};

/** Examples that would change nothing. */
const OTHER_REQUESTS: Readonly<
  Record<string, (estate: Estate, platform: Platform) => Promise<Partial<ComposedRequest>>>
> = {
  login: async ({ user }) => ({ body: { username: user.username, password: user.password } }),
  connectService: async () => ({
    body: { service: { name: 'statistics_service' }, sensor: { name: 'computed' } },
  }),
  addGroupUsers: async ({ ids }, platform) => {
    const joining = await platform.user();
    await join(joining, ids.group);
    return { body: { users: [{ user: { id: joining.id } }] } };
  },
  cancelExport: async ({ user }) => ({ path: `/exports/${await latestOf(user, 'exports', {})}` }),
  cancelImport: async ({ user }) => ({ path: `/imports/${await latestOf(user, 'imports', 'PK, and no zip')}` }),
  deleteDataRange: async () => ({ query: { start_date: 1, end_date: 4_000_000_000 } }),
};

/** One that is not over: if there is none yet, it is made. */
async function latestOf({ api }: TestUser, kind: 'exports' | 'imports', body: object | string): Promise<string> {
  await api.post(`/${kind}`, body);
  return (await api.get(`/${kind}`)).body[kind][0].id;
}

/** One transaction for each of many things. */
const IN_STEPS = ['changeSensors'];

/** Need a provider, a device or a code of the moment, which examples cannot have. */
const NOT_TRIED = [
  ...['linkIdentity', 'beginTotp', 'confirmTotp', 'removeTotp', 'makeRecoveryCodes', 'beginPasskey', 'addPasskey'],
  ...['removePasskey', 'beginPasskeyLogin', 'loginByPasskey'],
];

interface RecordRow {
  chain: string;
  sequence: number;
  who: number | null;
  by_kind: string;
  by_id: number | null;
  address: string | null;
  subject_kind: string | null;
  subject_id: number | null;
  changed: string;
}

describe('every operation that changes something', () => {
  const mailbox = Mailbox.use();
  const platform = usePlatform(() => ({ config: { ...mailbox.settings, MAIL_CONFIRMATION: 'required' } }));
  let document: ApiDocument;
  let shared: Estate;
  const secrets = new Set<string>();

  before(async () => {
    document = await readDocument(platform);
    shared = await buildEstate(platform, await platform.user());
  });

  const recordsOf = async (action: string): Promise<RecordRow[]> =>
    (await platform.query('SELECT * FROM audit_records WHERE action = ? AND refused IS NULL ORDER BY chain, sequence', [
      action,
    ])) as unknown as RecordRow[]; // the columns

  const replay = async (operation: Operation, estate: Estate): Promise<string | undefined> => {
    const { operationId } = operation;
    const request = composeRequest(operation, document, idsOf(estate));
    await BEFORE[operationId]?.(estate);
    const prepared = (await PREPARED[operationId]?.(request, estate, platform)) ?? request;
    const other = await OTHER_REQUESTS[operationId]?.(estate, platform);
    const known = new Set((await recordsOf(operationId)).map(keyOf));
    const given = { ...prepared, ...other };
    const { status, body } = await send(estate.user.api, given);
    for (const text of [...secretsIn(given.body), ...secretsIn(given.query), ...secretsIn(body)]) secrets.add(text);
    if (status !== successOf(operation).status) return `${operationId}: ${status} ${JSON.stringify(body)}`;
    const rows = (await recordsOf(operationId)).filter((row) => !known.has(keyOf(row)));
    return problemOf(operationId, rows, estate);
  };

  it('is recorded once for each subject, with who, by what and from where', async function () {
    this.timeout(600_000);
    const failures: string[] = [];
    const isChange = ({ method, operationId }: Operation) =>
      (method !== 'get' || operationId === 'logoutByGet') && !NOT_TRIED.includes(operationId);
    for (const operation of inHarmlessOrder(document.operations.filter(isChange))) {
      if (await replay(operation, shared)) {
        shared = await buildEstate(platform, await platform.user());
        const problem = await replay(operation, shared);
        if (problem) failures.push(problem);
      }
    }
    assert.deepEqual(failures, []);
    assert.ok(secrets.size > 10, [...secrets].join());
    const records = JSON.stringify(
      await platform.query(
        'SELECT who, by_id, by_name, rule_set, address, action, subject_id, subject_name, changed FROM audit_records',
      ),
    );
    assert.deepEqual(
      [...secrets].filter((text) => records.includes(text)),
      [],
      'secrets are in records',
    );
  });
});

const SECRET_NAMES = /password|secret|token|session_id|destination|headers|otp|codes/;

/** Texts of requests and answers that no record may have. The mail address of an account is no secret. */
function secretsIn(value: unknown, isSecret = false): string[] {
  if (typeof value === 'string') return isSecret && /^(?!\d+$)[^@]{8,}$/.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => secretsIn(inner, isSecret || SECRET_NAMES.test(name)));
}

const keyOf = ({ chain, sequence }: RecordRow) => `${chain} ${sequence}`;

function problemOf(action: string, rows: readonly RecordRow[], { user }: Estate): string | undefined {
  if (NOT_RECORDED[action]) return rows.length === 0 ? undefined : `${action}: is recorded, in spite of its reason`;
  if (rows.length === 0) return `${action}: is not recorded`;
  const isVisitor = BY_VISITORS.includes(action);
  const subjects = new Set(rows.map(({ chain, subject_kind, subject_id }) => `${chain} ${subject_kind} ${subject_id}`));
  if (subjects.size < rows.length && !IN_STEPS.includes(action))
    return `${action}: has several records of a subject: ${JSON.stringify(rows)}`;
  for (const row of rows) {
    const at = `${action}: ${JSON.stringify(row)}`;
    if (row.by_kind !== (isVisitor ? 'visitor' : 'session')) return at;
    if (!isVisitor && (row.who !== Number(user.id) || row.by_id === null)) return at;
    const showsAddress = isVisitor || row.chain === `account:${user.id}`;
    if ((row.address !== null) !== showsAddress || row.changed === '{}' || row.subject_kind === null) return at;
  }
  return undefined;
}
