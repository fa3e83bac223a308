import assert from 'node:assert/strict';
import { acknowledgeToken, recipientToken, type TokenOwner } from '../../src/rules/recipient-token';
import { inHarmlessOrder } from '../support/access-table';
import { buildAlarm } from '../support/alarm';
import { type ApiDocument, type Operation, readDocument, successOf } from '../support/api-document';
import { type ComposedRequest, composeRequest, idsOf, send } from '../support/composed-request';
import { buildEstate, type Estate } from '../support/estate';
import { buildNotification, upload } from '../support/factories';
import { usePlatform } from '../support/hooks';
import { Mailbox } from '../support/mailbox';
import { recordMails } from '../support/mails';
import type { Platform, TestUser } from '../support/platform';
import { responseChecker } from '../support/response-checker';

describe('the examples of the OpenAPI document', () => {
  const mailbox = Mailbox.use();
  const platform = usePlatform(() => ({ config: { ...mailbox.settings, MAIL_CONFIRMATION: 'required' } }));
  let document: ApiDocument;
  let shared: Estate;
  let mismatch: ReturnType<typeof responseChecker>;

  before(async () => {
    document = await readDocument(platform);
    mismatch = responseChecker(document);
    shared = await buildEstate(platform, await platform.user());
  });

  it('are requests that succeed, with responses as the document describes them', async function () {
    this.timeout(600_000);
    const failures: string[] = [];
    for (const operation of inHarmlessOrder(document.operations)) {
      // They share an estate; after one that takes from it what others need, the next gets a new one.
      if (await replay(operation, shared)) {
        shared = await buildEstate(platform, await platform.user());
        const problem = await replay(operation, shared);
        if (problem) failures.push(problem);
      }
    }
    assert.deepEqual(failures, []);
  });

  const replay = async (operation: Operation, estate: Estate) => {
    const request = composeRequest(operation, document, idsOf(estate));
    const prepared = (await PREPARED[operation.operationId]?.(request, estate, platform)) ?? request;
    const response = await send(estate.user.api, prepared);
    const { status, schema = {} } = successOf(operation);
    const inBody = response.status === status ? mismatch(schema, response.body) : JSON.stringify(response.body);
    const problem = inBody ?? headerMismatch(operation, response.headers);
    return problem && `${operation.operationId}: ${response.status} ${problem}`;
  };

  /** A header that is described and not there, or there and not described. Limits are off in tests. */
  const headerMismatch = (operation: Operation, headers: Headers) => {
    const described = Object.keys(operation.responses[successOf(operation).status]?.headers ?? {});
    const expected = described.filter((name) => !name.startsWith('RateLimit-')).sort();
    const present = ['Location', 'Set-Cookie', 'X-Request-Id', 'X-SESSION_ID'].filter((name) => headers.has(name));
    return expected.join() === present.join() ? undefined : `has the headers ${present} and not ${expected}`;
  };
});

type Prepare = (
  request: ComposedRequest,
  estate: Estate,
  platform: Platform,
) => Promise<ComposedRequest> | ComposedRequest;

/** Operations whose examples need more than the ids of an estate: an account, a secret, a confirmed address, a service that learns. */
const PREPARED: Record<string, Prepare> = {
  // A sensor cannot be connected to itself, and users can neither share with themselves nor block themselves.
  connectSensor: (request, { ids }) => withBody(request, { sensor: { id: ids['used sensor'] } }),
  shareSensor: (request, { ids }) => withBody(request, { user: { id: ids.reader } }),
  blockUser: (request, { ids }) => withBody(request, { user: { id: ids.reader } }),
  unblockUser: async (request, { user, ids }) => {
    await user.api.post('/users/blocked', { user: { id: ids.reader } });
    return { ...request, path: `/users/blocked/${ids.reader}` };
  },
  previewNotification: (request, { ids }) => withBody(request, { id: ids.notification, firing_id: ids.firing }),
  disconnectNotificationFromTrigger: async (request, { user, ids }) => {
    const notification = { id: ids.notification };
    await user.api.post(`/triggers/${ids.trigger}/notifications`, { notification });
    return request;
  },
  login: (request, { user }) => withBody(request, { username: user.username, password: user.password }),
  changePassword: (request, { user }) => withBody(request, { current_password: user.password }),
  updateUser: (request, { user }) => {
    const { user: fields } = Object(request.body);
    return withBody(request, { user: { ...fields, current_password: user.password } });
  },
  requestPasswordReset: (request, { user }) => withBody(request, accountOf(user)),
  resetPassword: async (request, { user }, platform) => withBody(request, { token: await resetToken(user, platform) }),
  manualLearn: async (request, { user, ids }) => {
    const service = { name: 'state_recognition_service' };
    const made = await user.api.post(`/sensors/${ids.sensor}/services`, { service });
    await upload(user, ids.sensor, { value: 5, date: 1_795_229_530 });
    return { ...request, path: `/sensors/${ids.sensor}/services/${made.body.service.id}/manualLearn` };
  },
  redeliver: async (request, { user }, platform) => {
    await platform.anonymous.post(`/confirm?token=${recipientToken(await recipientOf(user, platform))}`);
    return request;
  },
  unsubscribe: withMailToken,
  confirmAddress: withMailToken,
  acknowledgeByMail: async (request, { user }, platform) => {
    const notifications = [{ type: 'email', destination: `${user.username}@example.org` }];
    const { sensorId } = await buildAlarm(user, { trigger: { name: 'to be acknowledged' }, notifications });
    await upload(user, sensorId, { value: 99 });
    await platform.settle();
    const [firing] = (await user.api.get(`/firings?sensor_id=${sensorId}`)).body.firings;
    const token = acknowledgeToken(await recipientOf(user, platform), Number(firing.id));
    return { ...request, query: { token } };
  },
  requestConfirmation: async (request, { user }) => {
    const id = await buildNotification(user, { type: 'email', destination: `friend-of-${user.username}@example.org` });
    return { ...request, path: `/notifications/${id}/request_confirmation` };
  },
};

async function withMailToken(request: ComposedRequest, { user }: Estate, platform: Platform): Promise<ComposedRequest> {
  return { ...request, query: { token: recipientToken(await recipientOf(user, platform)) } };
}

/** The recipient of the mails that a user sends to their own address. */
async function recipientOf(user: TestUser, platform: Platform): Promise<TokenOwner> {
  const [recipient] = await platform.query(
    'SELECT id, address, secret FROM mail_recipients WHERE owner_id = ? AND address = ?',
    [user.id, accountOf(user).email],
  );
  const { id, address, secret } = Object(recipient);
  return { id, address, secret };
}

function withBody(request: ComposedRequest, fields: object): ComposedRequest {
  return { ...request, body: { ...Object(request.body), ...fields } };
}

function accountOf({ username }: TestUser): { username: string; email: string } {
  return { username, email: `${username}@example.org` };
}

async function resetToken(user: TestUser, platform: Platform): Promise<string> {
  const mails = recordMails(platform);
  await platform.anonymous.post('/requestPasswordReset', accountOf(user));
  return /token=([\w-]+)/.exec(mails.sent[0]?.text ?? '')?.[1] ?? '';
}
