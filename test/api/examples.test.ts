import assert from 'node:assert/strict';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { unsubscribeToken } from '../../src/domain/unsubscribe-token';
import { type ApiDocument, type Operation, readDocument, type Schema, successOf } from '../support/api-document';
import { type ComposedRequest, composeRequest, idsOf, send } from '../support/composed-request';
import { buildEstate, type Estate } from '../support/estate';
import { recordMails } from '../support/mails';
import { type Platform, startPlatform, type TestUser } from '../support/platform';

describe('the examples of the OpenAPI document', () => {
  let platform: Platform;
  let document: ApiDocument;
  let reader: Estate;
  let failures: string[];

  before(async () => {
    platform = await startPlatform();
    document = await readDocument(platform);
    reader = await buildEstate(platform, await platform.user());
  });
  after(() => platform.close());

  it('make requests that succeed, with answers as they are described', async () => {
    failures = [];
    for (const operation of document.operations) {
      // What changes nothing can share an estate; what changes something gets one of its own.
      const isReading = operation.method === 'get' && operation.operationId !== 'logoutByGet';
      const estate = isReading ? reader : await buildEstate(platform, await platform.user());
      await replay(operation, estate);
    }
    assert.deepEqual(failures, []);
  });

  const replay = async (operation: Operation, estate: Estate) => {
    const request = composeRequest(operation, document, idsOf(estate));
    const prepared = (await PREPARED[operation.operationId]?.(request, estate, platform)) ?? request;
    const answer = await send(estate.user.api, prepared);
    const { status, schema = {} } = successOf(operation);
    const problem = answer.status === status ? mismatch(schema, answer.body) : JSON.stringify(answer.body);
    if (problem) failures.push(`${operation.operationId}: ${answer.status} ${problem}`);
  };

  /** What is wrong with an answer by its schema: a field that is missing, of another type, or not described. */
  const mismatch = (schema: Schema, body: unknown): string | undefined => {
    const ajv = addFormats(new Ajv({ strict: false, allErrors: true }));
    ajv.addSchema(exact({ $id: 'document', components: document.json.components }), 'document');
    const check = ajv.compile(exact(pointed(schema)));
    return check(body) ? undefined : `${ajv.errorsText(check.errors)} in ${JSON.stringify(body)}`;
  };
});

type Prepare = (
  request: ComposedRequest,
  estate: Estate,
  platform: Platform,
) => Promise<ComposedRequest> | ComposedRequest;

/** Operations whose examples name an account or a secret, theirs is put in its place. */
const PREPARED: Record<string, Prepare> = {
  // Groups hold no sensors yet.
  listSensors: ({ query: { group_id, ...query }, ...request }) => ({ ...request, query }),
  login: (request, { user }) => withBody(request, { username: user.username, password: user.password }),
  changePassword: (request, { user }) => withBody(request, { current_password: user.password }),
  requestPasswordReset: (request, { user }) => withBody(request, accountOf(user)),
  resetPassword: async (request, { user }, platform) => withBody(request, { token: await resetToken(user, platform) }),
  unsubscribe: async (request, { user, ids }) => {
    const { destination, signing_secret } = (await user.api.get(`/notifications/${ids.notification}`)).body
      .notification;
    const token = unsubscribeToken({ notificationId: Number(ids.notification), destination }, signing_secret);
    return { ...request, query: { token } };
  },
};

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

/** The schema with its references led into the document. */
function pointed(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'));
}

/** The schema, refusing fields that it does not name. */
function exact(schema: object): object {
  const copy = structuredClone(schema);
  const visit = (node: object) => {
    const isRecord = 'properties' in node && 'type' in node && Object.keys(Object(node.properties)).length > 0;
    if (isRecord) Object.assign(node, { additionalProperties: false });
    for (const value of Object.values(node)) if (typeof value === 'object' && value !== null) visit(value);
  };
  visit(copy);
  return copy;
}
