import assert from 'node:assert/strict';
import { inHarmlessOrder } from '../../support/access-table';
import { type ApiDocument, type Operation, readDocument, successOf } from '../../support/api-document';
import { composeRequest, idsOf, send } from '../../support/composed-request';
import { buildEstate, type Estate } from '../../support/estate';
import { usePlatform } from '../../support/hooks';
import { Mailbox } from '../../support/mailbox';
import { OF_BROWSERS, OIDC, PREPARED } from '../../support/prepared-examples';
import { responseChecker } from '../../support/response-checker';

describe('the examples of the OpenAPI document', () => {
  const mailbox = Mailbox.use();
  const platform = usePlatform(() => ({ config: { ...mailbox.settings, ...OIDC, MAIL_CONFIRMATION: 'required' } }));
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
      if (OF_BROWSERS.includes(operation.operationId)) continue;
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
