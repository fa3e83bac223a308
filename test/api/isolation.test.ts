import assert from 'node:assert/strict';
import { type ApiDocument, type Operation, readDocument } from '../support/api-document';
import { composeRequest, idsOf, send } from '../support/composed-request';
import { buildEstate, type Estate, type Kind } from '../support/estate';
import { type Platform, startPlatform } from '../support/platform';

/** Operations that name nothing, and why they can show or change nothing of others. */
const WITHOUT_IDS: Record<string, string> = {
  createUser: 'makes an account',
  login: 'needs the password',
  logout: 'ends the session it came with',
  logoutByGet: 'ends the session it came with',
  changePassword: 'is about the account of the session',
  requestPasswordReset: 'only sends a mail, to the owner of the account',
  resetPassword: 'needs the token of a mail',
  unsubscribe: 'needs the token of a mail',
  getCurrentUser: 'is about the account of the session',
  createTrigger: 'makes something of the caller',
  createNotification: 'makes something of the caller',
  createEnvironment: 'makes something of the caller',
  createGroup: 'makes something of the caller',
  createSensor: 'makes something of the caller',
  listTriggers: 'lists those of the caller',
  listNotifications: 'lists those of the caller',
  listAllSensorTriggers: 'lists those of the caller',
  listAllTriggerNotifications: 'lists those of the caller',
  unshareAllSensors: 'is about the sensors of the caller',
  listMetatags: 'lists those of sensors that the caller sees',
  findSensors: 'finds sensors that the caller sees',
  listDistinctValues: 'lists those of sensors that the caller sees',
  listDistinctValuesByName: 'lists those of sensors that the caller sees',
  listDevices: 'lists those of the caller',
  listAllAvailableServices: 'lists those of sensors that the caller sees',
  listEnvironments: 'lists those of the caller',
  listGroups: 'lists those that the caller is a member of',
  listAllGroups: 'lists those that are not hidden',
  listEvents: 'is the same for everybody',
  listEventNotifications: 'lists those of the caller',
};

/** Places in a request where the id of another one's thing is taken, and why that is no harm. */
const TAKEN: Record<string, { status: number; because: string; undo?: [method: 'delete', path: string] }> = {
  'shareSensor body:user.id': {
    status: 201,
    because: 'one may share what is one’s own with anybody, who need not look at it',
    undo: ['delete', '/sensors/users'],
  },
  'listDeliveries query:notification_id': { status: 200, because: 'it only narrows one’s own list: to nothing' },
  'createEventNotification body:event_notification.source_id': {
    status: 201,
    because: 'only events of a source that one may see are told (test/flow/event-reach.test.ts)',
  },
  'updateEventNotification body:event_notification.source_id': { status: 200, because: 'as when it is made' },
};

interface Place {
  operation: Operation;
  at: string;
}

describe('a stranger', () => {
  let platform: Platform;
  let document: ApiDocument;
  let victim: Estate;
  let stranger: Estate;
  let places: Place[];
  let untouched: string[];

  before(async () => {
    platform = await startPlatform();
    document = await readDocument(platform);
    victim = await buildEstate(platform, await platform.user());
    stranger = await buildEstate(platform, await platform.user());
    places = document.operations.flatMap((operation) => placesOfIds(operation).map((at) => ({ operation, at })));
    untouched = await everythingOf(victim);
  });
  after(() => platform.close());

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

  /** Every answer that a user gets by reading, with the ids of his own. */
  const everythingOf = async (estate: Estate): Promise<string[]> => {
    const reading = document.operations.filter(
      ({ method, operationId }) => method === 'get' && operationId !== 'logoutByGet',
    );
    const answers: string[] = [];
    for (const operation of reading) {
      const { status, body } = await send(estate.user.api, composeRequest(operation, document, idsOf(estate)));
      answers.push(`${operation.operationId} ${status} ${JSON.stringify(body)}`);
    }
    return answers;
  };

  it('is refused wherever an id of somebody else stands in a request', async () => {
    const problems: string[] = [];
    for (const { operation, at } of places) {
      if (TAKEN[`${operation.operationId} ${at}`]) continue;
      const { status, body } = await sendWith(operation, (place) => place === at);
      const tells = JSON.stringify(body).includes(victim.marker);
      if ((status !== 403 && status !== 404) || tells) {
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
      const tells = JSON.stringify(body).includes(victim.marker);
      if ((status !== 403 && status !== 404) || tells) {
        problems.push(`${operation.operationId}: ${status} ${JSON.stringify(body)}`);
      }
    }
    assert.deepEqual(problems, []);
  });

  it('reads nothing of others', async () => {
    const answers = await everythingOf(stranger);
    assert.ok(answers.join().includes(stranger.marker));
    assert.deepEqual(
      answers.filter((answer) => answer.includes(victim.marker)),
      [],
    );
  });

  it('may name things of others only where it is no harm', async () => {
    for (const [place, { status, undo }] of Object.entries(TAKEN)) {
      const found = places.find(({ operation, at }) => `${operation.operationId} ${at}` === place);
      assert.ok(found, `${place} is no place of an id any more`);
      const answer = await sendWith(found.operation, (at) => at === found.at);
      assert.equal(answer.status, status, `${place}: ${JSON.stringify(answer.body)}`);
      assert.ok(!JSON.stringify(answer.body).includes(victim.marker), place);
      if (undo) await stranger.user.api[undo[0]](undo[1]);
    }
  });

  it('does no harm with what names nothing', async () => {
    const named = new Set(places.map(({ operation }) => operation.operationId));
    const nameless = document.operations.filter(({ operationId }) => !named.has(operationId));
    assert.deepEqual(nameless.map(({ operationId }) => operationId).sort(), Object.keys(WITHOUT_IDS).sort());
    for (const operation of nameless) {
      const visitor = await platform.user();
      const answer = await send(visitor.api, composeRequest(operation, document, idsOf(stranger)));
      assert.ok(!JSON.stringify(answer.body).includes(victim.marker), operation.operationId);
    }
  });

  it('has changed nothing of the victim’s by all of that', async () => {
    assert.deepEqual(await everythingOf(victim), untouched);
  });
});
