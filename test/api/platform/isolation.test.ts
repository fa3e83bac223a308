import assert from 'node:assert/strict';
import { type ApiDocument, type Operation, readDocument } from '../../support/api-document';
import { composeRequest, idsOf, send } from '../../support/composed-request';
import { buildEstate, type Estate, type Kind } from '../../support/estate';
import { usePlatform } from '../../support/hooks';

/** Operations without ids, and why they can neither show nor change anything of other users. */
const WITHOUT_IDS: Record<string, string> = {
  createUser: 'creates an account',
  login: 'requires the password',
  beginPasskeyLogin: 'requires a passkey afterwards',
  loginByPasskey: 'requires a passkey',
  getSecondFactors: 'acts on the account of the session',
  beginTotp: 'acts on the account of the session',
  confirmTotp: 'acts on the account of the session',
  removeTotp: 'acts on the account of the session',
  makeRecoveryCodes: 'acts on the account of the session',
  beginPasskey: 'acts on the account of the session',
  addPasskey: 'acts on the account of the session',
  logout: 'ends the session of the request',
  logoutByGet: 'ends the session of the request',
  changePassword: 'acts on the account of the session',
  requestPasswordReset: 'only sends a mail to the owner of the account',
  resetPassword: 'requires the token from a mail',
  unsubscribe: 'requires the token from a mail',
  confirmAddress: 'requires the token from a mail',
  acknowledgeByMail: 'requires the token from a mail',
  muteByLink: 'requires the token from a mail',
  getCurrentUser: 'acts on the account of the session',
  streamFirings: 'brings the firings of the caller’s triggers',
  createTrigger: 'creates something that the caller owns',
  getPushKey: 'returns the public key of the installation',
  createNotification: 'creates something that the caller owns',
  reportAlerts: 'counts the caller’s own firings and deliveries',
  previewNotification: 'shows what the caller wrote, for firings of the caller’s triggers',
  createEnvironment: 'creates something that the caller owns',
  createGroup: 'creates something that the caller owns',
  createSensor: 'creates something that the caller owns',
  createMqttSource: 'creates something that the caller owns',
  listDashboards: 'lists those of the caller',
  getPublicDashboard: 'requires the token of a public link',
  readPublicTile: 'requires the token of a public link',
  readPublicTilePlan: 'requires the token of a public link',
  listMqttSources: 'lists those of the caller',
  listMutes: 'lists those of the caller',
  listKeys: 'lists those of the caller',
  listSessions: 'lists those of the caller',
  listIdentities: 'lists those of the caller',
  linkIdentity: 'begins a link to the account of the caller',
  endOtherSessions: 'ends those of the caller',
  listTriggers: 'lists those of the caller',
  listRuleSets: 'lists those of the caller',
  exportRules: 'shows rules of the caller',
  getRuleSet: 'shows rules of the caller',
  testRules: 'finds things of the caller only (test/api/alerts/rule-sets.test.ts)',
  planRules: 'finds things of the caller only (test/api/alerts/rule-sets.test.ts)',
  applyRules: 'finds things of the caller only (test/api/alerts/rule-sets.test.ts)',
  listNotifications: 'lists those of the caller',
  listPresets: 'is the same for everybody',
  listAllSensorTriggers: 'lists those of the caller',
  listAllTriggerNotifications: 'lists those of the caller',
  unshareAllSensors: 'acts on the sensors of the caller',
  listMetatags: 'lists those of sensors visible to the caller',
  findSensors: 'finds sensors visible to the caller',
  listDistinctValues: 'lists those of sensors visible to the caller',
  listDistinctValuesByName: 'lists those of sensors visible to the caller',
  listDevices: 'lists those of the caller',
  listAllAvailableServices: 'lists those of sensors visible to the caller',
  listEnvironments: 'lists those of the caller',
  listGroups: 'lists those with the caller as a member',
  listAllGroups: 'lists those that are not hidden',
  listEvents: 'is the same for everybody',
  listEventNotifications: 'lists those of the caller',
  registerApplication: 'creates something that the caller owns',
  listApplications: 'lists those of the caller',
  listAuthorizations: 'lists those of the caller',
  listInvitations: 'lists those to the caller',
  getInvitation: 'requires the token of a link, or an id of those to the caller',
  acceptInvitation: 'requires the token of a link, or an id of those to the caller',
  declineInvitation: 'requires an id of those to the caller',
  listNewShares: 'lists sensors that are shared with the caller',
  listBlockedUsers: 'lists those whom the caller blocked',
  listExports: 'lists those of the caller',
  createExport: 'holds what the caller owns',
  listImports: 'lists those of the caller',
  createImport: 'writes into the account of the caller',
};

/** Places in a request where the id of another user's record is accepted, and why that is harmless. */
const TAKEN: Record<string, { status: number; because: string; undo?: [method: 'delete', path: string] }> = {
  'shareSensor body:user.id': {
    status: 201,
    because: 'users may share what they own with anybody',
    undo: ['delete', '/sensors/users'],
  },
  'blockUser body:user.id': {
    status: 200,
    because: 'users may refuse the shares of anybody',
    undo: ['delete', '/users/blocked/{id}'],
  },
  'dismissShares body:sensors': { status: 200, because: 'it only dismisses notices of the caller' },
  'listAudit query:user_id': { status: 200, because: 'it only narrows the list of the caller, to nothing' },
  'listDeliveries query:notification_id': {
    status: 200,
    because: 'it only narrows the list of the caller, to nothing',
  },
  'listDeliveries query:sensor_id': { status: 200, because: 'it only narrows the list of the caller, to nothing' },
  'listDeliveries query:trigger_id': { status: 200, because: 'it only narrows the list of the caller, to nothing' },
  'listDeliveries query:digest_id': { status: 200, because: 'it only narrows the list of the caller, to nothing' },
  'listAllFirings query:sensor_id': { status: 200, because: 'it only narrows the list of the caller, to nothing' },
  'listAllFirings query:trigger_id': { status: 200, because: 'it only narrows the list of the caller, to nothing' },
  'listAllFirings query:group_id': { status: 200, because: 'it only narrows the list of the caller, to nothing' },
  'assignFiring body:user_id': {
    status: 400,
    because: 'only users who see the alert can be named; the others all get the same',
  },
  'changeFirings body:firings': { status: 200, because: 'it names each firing that it did not change, as unknown' },
  'createEventNotification body:event_notification.source_id': {
    status: 201,
    because: 'only events of a visible source are published (test/flow/notifications/event-reach.test.ts)',
  },
  'updateEventNotification body:event_notification.source_id': { status: 200, because: 'as on creation' },
};

interface Place {
  operation: Operation;
  at: string;
}

/** Some devices and old clients can only send GET. */
const CHANGES_BY_GET: ReadonlySet<string> = new Set(['logoutByGet', 'addData']);

describe('a stranger', () => {
  const platform = usePlatform();
  let document: ApiDocument;
  let victim: Estate;
  let stranger: Estate;
  let places: Place[];
  let untouched: string[];

  before(async () => {
    document = await readDocument(platform);
    victim = await buildEstate(platform, await platform.user());
    stranger = await buildEstate(platform, await platform.user());
    places = document.operations.flatMap((operation) => placesOfIds(operation).map((at) => ({ operation, at })));
    untouched = await everythingOf(victim);
  });

  const placesOfIds = (operation: Operation): string[] => {
    const found: string[] = [];
    composeRequest(operation, document, (_, at) => {
      found.push(at);
      return '1';
    });
    return found;
  };

  /** Sends an operation as the stranger, with ids of the victim in these places and the stranger's own elsewhere. */
  const sendWith = (operation: Operation, isVictims: (at: string) => boolean) => {
    const idAt = (kind: Kind, at: string) => (isVictims(at) ? victim : stranger).ids[kind];
    return send(stranger.user.api, composeRequest(operation, document, idAt));
  };

  /** Every response to a reading operation, for a user with their own ids. */
  const everythingOf = async (estate: Estate): Promise<string[]> => {
    const reading = document.operations.filter(
      ({ method, operationId }) => method === 'get' && !CHANGES_BY_GET.has(operationId),
    );
    const responses: string[] = [];
    for (const operation of reading) {
      const { status, body } = await send(estate.user.api, composeRequest(operation, document, idsOf(estate)));
      // The cursor of a stream moves with whatever anybody does, and the range of a tile with the clock.
      const text = JSON.stringify(body).replace(/id: \w{8}-[\d-]+|"from":[\d.]+,"to":[\d.]+/g, '');
      responses.push(`${operation.operationId} ${status} ${text}`);
    }
    return responses;
  };

  it('is refused wherever a request has an id of another user', async () => {
    const problems: string[] = [];
    for (const { operation, at } of places) {
      if (TAKEN[`${operation.operationId} ${at}`]) continue;
      const { status, body } = await sendWith(operation, (place) => place === at);
      const reveals = JSON.stringify(body).includes(victim.marker);
      if ((status !== 403 && status !== 404) || reveals) {
        problems.push(`${operation.operationId} with the victim's id in ${at}: ${status} ${JSON.stringify(body)}`);
      }
    }
    assert.deepEqual(problems, []);
  });

  it('is refused when every id in the path is of the same victim', async () => {
    const problems: string[] = [];
    const named = places.filter(({ at }) => at.startsWith('path:')).map(({ operation }) => operation);
    for (const operation of new Set(named)) {
      const { status, body } = await sendWith(operation, (at) => at.startsWith('path:'));
      const reveals = JSON.stringify(body).includes(victim.marker);
      if ((status !== 403 && status !== 404) || reveals) {
        problems.push(`${operation.operationId}: ${status} ${JSON.stringify(body)}`);
      }
    }
    assert.deepEqual(problems, []);
  });

  it('reads nothing that belongs to others', async () => {
    const responses = await everythingOf(stranger);
    assert.ok(responses.join().includes(stranger.marker));
    assert.deepEqual(
      responses.filter((response) => response.includes(victim.marker)),
      [],
    );
  });

  it('may name records of others only where that is harmless', async () => {
    for (const [place, { status, undo }] of Object.entries(TAKEN)) {
      const found = places.find(({ operation, at }) => `${operation.operationId} ${at}` === place);
      assert.ok(found, `${place} has no id any more`);
      const response = await sendWith(found.operation, (at) => at === found.at);
      assert.equal(response.status, status, `${place}: ${JSON.stringify(response.body)}`);
      assert.ok(!JSON.stringify(response.body).includes(victim.marker), place);
      if (undo) await stranger.user.api[undo[0]](undo[1].replace('{id}', victim.ids.user));
    }
  });

  it('does no harm with operations that have no ids', async () => {
    const named = new Set(places.map(({ operation }) => operation.operationId));
    const nameless = document.operations.filter(({ operationId }) => !named.has(operationId));
    assert.deepEqual(nameless.map(({ operationId }) => operationId).sort(), Object.keys(WITHOUT_IDS).sort());
    for (const operation of nameless) {
      const visitor = await platform.user();
      const response = await send(visitor.api, composeRequest(operation, document, idsOf(stranger)));
      assert.ok(!JSON.stringify(response.body).includes(victim.marker), operation.operationId);
    }
  });

  it('has changed nothing that belongs to the victim', async () => {
    assert.deepEqual(await everythingOf(victim), untouched);
  });
});
