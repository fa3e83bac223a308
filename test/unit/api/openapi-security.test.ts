import assert from 'node:assert/strict';
import { completeDocument } from '../../../src/api/openapi';
import { operationsOf, type SecurityRequirement } from '../../../src/api/openapi/document';
import { readRequirement } from '../../../src/api/openapi/security';
import openapi from '../../../src/generated/openapi.json';

/** POSTs that only look. */
const READING_POSTS = ['backtestRule', 'backtestTrigger', 'findGroupSensors', 'findSensors', 'planRules', 'testRules'];
/** Users, passwords, sessions, keys and applications. */
const ACCOUNT =
  /^\/(?:users|sessions|identities|second_factors|passkeys|login|logout|change_password|keys|oauth2?)(?:\/|$)/;
const DATA_WRITING = ['addData', 'deleteData', 'deleteDataRange', 'uploadData', 'uploadSensorsData'];

describe('what an operation requires', () => {
  const document = completeDocument(openapi);
  const operations = operationsOf(document).map(({ path, method, operation }) => {
    const keyed = operation.security.find((ways) => 'key' in ways);
    return { path, method, ...operation, scope: keyed?.key?.[0] };
  });
  const named = (scope: string, method?: string) =>
    operations
      .filter((one) => one.scope === scope && (method === undefined || one.method === method))
      .map(({ operationId }) => operationId)
      .sort();

  it('is declared by every operation, and without a declaration nothing starts', () => {
    const undeclared: SecurityRequirement[][] = [
      [{ undeclared: [] }],
      [{ credential: [] }],
      [{ credential: ['everything'] }],
      [{ credential: ['read', 'write'] }],
      [{ key: ['read'] }],
      [{ session: ['read'] }],
      [{ session: [] }, { credential: ['read'] }],
      [{ session: [], credential: ['read'] }],
    ];
    for (const one of undeclared) {
      assert.throws(() => readRequirement(one, 'get /x'), /get \/x does not declare what it requires/);
    }
    const declared: SecurityRequirement[][] = [[], [{ session: [] }], [{ credential: ['data:write'] }]];
    assert.deepEqual(
      declared.map((one) => readRequirement(one, '')),
      ['nothing', 'session', 'data:write'],
    );
    assert.ok(!JSON.stringify(document).includes('undeclared'));
  });

  it('is read for what only looks, data:write for data, and write or a session for every other change', () => {
    assert.deepEqual(named('read', 'post'), READING_POSTS);
    assert.deepEqual([...named('read', 'put'), ...named('read', 'delete')], []);
    assert.deepEqual(named('data:write'), DATA_WRITING);
    // They have a link to all that the account has.
    assert.deepEqual(named('write', 'get'), ['getExport', 'listExports']);
  });

  it('is a session for all of the account, but for reading who one is, and for nothing else', () => {
    const isSession = ({ security }: (typeof operations)[number]) =>
      security.length > 0 && security.every((ways) => 'session' in ways);
    for (const operation of operations.filter(({ security }) => security.length > 0)) {
      const isOfAccount = ACCOUNT.test(operation.path) && operation.operationId !== 'getCurrentUser';
      assert.equal(isSession(operation), isOfAccount, `${operation.method} ${operation.path}`);
    }
  });

  it('names schemes that the document describes', () => {
    const ways = new Set(operations.flatMap(({ security }) => security.flatMap((one) => Object.keys(one))));
    assert.deepEqual([...ways].sort(), Object.keys(Object(document.components).securitySchemes).sort());
  });
});
