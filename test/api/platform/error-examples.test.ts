import assert from 'node:assert/strict';
import { apiClient } from '../../support/api-client';
import { type ApiDocument, type Operation, readDocument } from '../../support/api-document';
import { type ComposedRequest, composeRequest, type IdAt, idsOf, send } from '../../support/composed-request';
import { buildEstate, buildSeries, type Estate } from '../../support/estate';
import { buildGroup, buildMute, buildNotification, createKey, share } from '../../support/factories';
import { usePlatform } from '../../support/hooks';
import type { TestUser } from '../../support/platform';

const NOBODYS_ID = '2147483647';

/** Where an unknown id has another response: 403, or a message with the id. */
const NAMED_BY_NO_NUMBER = new Set(['getUser', 'updateUser', 'deleteUser', 'readData', 'addSubEnvironments']);

/**
 * `deleteSensor` ends the share of a reader: 403 is for members of a group. The estate has no service that learns, and
 * `acceptInvitation` refuses those who block the owner of the sensor. Firings do not exist for who is in no team. Exports
 * are refused to applications only.
 */
const OTHERWISE_FORBIDDEN = new Set([
  ...['deleteSensor', 'manualLearn', 'acceptInvitation', 'acknowledgeFiring', 'assignFiring', 'resolveFiring'],
  ...['listExports', 'getExport', 'cancelExport'],
]);

describe('the examples of errors in the OpenAPI document', () => {
  const platform = usePlatform();
  let document: ApiDocument;
  let estate: Estate;
  let reader: TestUser;
  /** What replaces parts of the estate for the reader: a group that is not hidden, and notifications and a mute of their own. */
  let readersIds: Partial<Estate['ids']>;

  before(async () => {
    document = await readDocument(platform);
    estate = await buildEstate(platform, await platform.user());
    reader = await platform.user();
    await share(estate.user, estate.ids.service, reader);
    const own = { notification: await buildNotification(reader), mute: await buildMute(reader) };
    readersIds = {
      series: await buildSeries(platform, reader, 'readers'),
      group: await buildGroup(estate.user),
      ...own,
    };
  });

  /** Compares the example of this code with the response to a request that causes the error, if there is one. */
  const compare = async (code: string, provoke: (operation: Operation, example: ErrorBody) => Promise<unknown>) => {
    const problems: string[] = [];
    let compared = 0;
    for (const operation of document.operations) {
      const example = exampleOf(operation, code);
      const body = example && (await provoke(operation, example));
      if (body === undefined) continue;
      compared += 1;
      if (JSON.stringify(body) !== JSON.stringify(example)) {
        problems.push(`${operation.operationId}: ${JSON.stringify(body)} instead of ${JSON.stringify(example)}`);
      }
    }
    assert.deepEqual(problems, []);
    return compared;
  };

  it('show how a wrong or missing field is refused', async () => {
    const compared = await compare('invalid_input', async (operation, { fields = {} }) => {
      const request = composeRequest(operation, document, idsOf(estate));
      const [[path = '', why = ''] = []] = Object.entries(fields);
      return (await send(estate.user.api, withMistake(request, path, why))).body;
    });
    assert.ok(compared > 70, String(compared));
  });

  it('show how an unknown id is refused', async () => {
    const compared = await compare('not_found', async (operation) => {
      if (!operation.path.includes('{')) return undefined;
      const unknown = NAMED_BY_NO_NUMBER.has(operation.operationId) ? 'nobody' : NOBODYS_ID;
      const idAt: IdAt = (kind, at) => (at.startsWith('path:') ? unknown : estate.ids[kind]);
      return (await send(estate.user.api, composeRequest(operation, document, idAt))).body;
    });
    assert.ok(compared > 70, String(compared));
  });

  it('show how a caller without the right is refused', async () => {
    const compared = await compare('forbidden', async (operation) => {
      if (OTHERWISE_FORBIDDEN.has(operation.operationId)) return undefined;
      const idAt: IdAt = (kind) => readersIds[kind] ?? estate.ids[kind];
      await share(estate.user, estate.ids.sensor, reader);
      return (await send(reader.api, composeRequest(operation, document, idAt))).body;
    });
    assert.ok(compared > 30, String(compared));
  });

  it('show how a request without a session is refused', async () => {
    const compared = await compare('no_session', async (operation) => {
      return (await send(platform.anonymous, composeRequest(operation, document, idsOf(estate)))).body;
    });
    assert.ok(compared > 100, String(compared));
  });

  it('show how keys are refused: unknown ones, those without the scope, and all of them at the account', async () => {
    const { secret } = await createKey(estate.user, { scopes: ['write'] });
    const { secret: reading } = await createKey(estate.user, { scopes: ['read'] });
    const sendBy = async (operation: Operation, key: string) => {
      const api = apiClient(platform.url, { Authorization: `Bearer ${key}` });
      return (await send(api, composeRequest(operation, document, idsOf(estate)))).body;
    };
    const lacking = ({ security = [] }: Operation) => (JSON.stringify(security).includes('read') ? secret : reading);
    const invalid = await compare('invalid_token', (operation) => sendBy(operation, 'unknown'));
    const insufficient = await compare('insufficient_scope', (operation) => sendBy(operation, lacking(operation)));
    const required = await compare('session_required', (operation) => sendBy(operation, secret));
    assert.equal(invalid, insufficient);
    assert.ok(invalid > 90 && required > 10, `${invalid}, ${required}`);
  });

  it('exist for every error, each with a different body', () => {
    const problems = document.operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([status]) => /^[45]/.test(status))
        .filter(([, { content }]) => Object.keys(content?.['application/json']?.examples ?? {}).length === 0)
        .map(([status]) => `${operationId} ${status}`),
    );
    assert.deepEqual(problems, []);
  });
});

interface ErrorBody {
  error: string;
  code: string;
  fields?: Record<string, string>;
}

function exampleOf({ responses }: Operation, code: string): ErrorBody | undefined {
  const examples = Object.values(responses).map(({ content }) => content?.['application/json']?.examples?.[code]);
  return examples.find((example) => example !== undefined)?.value as ErrorBody | undefined; // its fields are compared
}

/** The request with the mistake that the example describes. */
function withMistake(request: ComposedRequest, path: string, why: string): ComposedRequest {
  const value = wrongValue(why);
  if (path in request.query)
    return { ...request, query: withField(request.query, [path], value) as typeof request.query };
  return { ...request, body: withField(request.body, path.replaceAll('[', '.').replaceAll(']', '').split('.'), value) };
}

function wrongValue(why: string): string | undefined {
  if (why.startsWith('is required')) return undefined;
  const length = /at most (\d+) characters/.exec(why)?.[1];
  return length === undefined ? 'none of these' : 'x'.repeat(Number(length) + 1);
}

function withField(node: unknown, [key = '', ...rest]: string[], value: unknown): unknown {
  const inner = rest.length === 0 ? value : withField(Reflect.get(Object(node), key), rest, value);
  if (Array.isArray(node)) return node.map((item, index) => (String(index) === key ? inner : item));
  const { [key]: _, ...others } = Object(node);
  return inner === undefined ? others : { ...others, [key]: inner };
}
