import assert from 'node:assert/strict';
import { routes } from '../../../src/generated/routes';
import {
  type ApiDocument,
  bodySchema,
  composeExample,
  type Operation,
  readDocument,
  resolve,
  type Schema,
  successOf,
} from '../../support/api-document';
import { usePlatform } from '../../support/hooks';

/** Operations that identify an account, a notification by a token, or sensors in a list. */
const NAMING_OTHERWISE = new Set([
  'requestPasswordReset',
  'unsubscribe',
  'confirmAddress',
  'acknowledgeByMail',
  'muteByLink',
  'createKey',
  'createMute',
  'createDashboard',
  'getRuleSet',
  'getPublicDashboard',
  'readPublicTile',
  'readPublicTilePlan',
  'getInvitation',
  'acceptInvitation',
  'declineInvitation',
]);

describe('the OpenAPI document', () => {
  const platform = usePlatform();
  let document: ApiDocument;

  before(async () => {
    document = await readDocument(platform);
  });

  /** The complaints about all operations, each with its operation. */
  const complaints = (complaint: (operation: Operation) => string | string[] | undefined | false) =>
    document.operations.flatMap((operation) =>
      [complaint(operation) || []].flat().map((text) => `${operation.method} ${operation.path}: ${text}`),
    );
  const hasIds = (operation: Operation) => {
    const named = (operation.parameters ?? []).some(({ name }) => /^id$|_id$/.test(name));
    return named || /"id":|_id":/.test(JSON.stringify(composedBody(operation) ?? {}));
  };
  const composedBody = (operation: Operation) => {
    const schema = bodySchema(operation);
    return schema && composeExample(schema, document);
  };

  it('is valid', async () => {
    const { body } = await platform.anonymous.get('/openapi.json');
    const { Validator } = await import('@seriousme/openapi-schema-validator');
    const result = await new Validator().validate(structuredClone(body));
    assert.ok(result.valid, JSON.stringify(result.errors, null, 1));
  });

  it('names every operation uniquely after its method', () => {
    const names = document.operations.map((operation) => operation.operationId);
    assert.deepEqual([...new Set(names)], names);
    // Agents use protocols of their own, which others document.
    const own = routes.filter(
      ({ path }) => !/^\/(api\/v\d|write|query|ping|health|in|weatherstation)(\/|$)/.test(path),
    );
    assert.deepEqual([...names].sort(), own.map((route) => route.action).sort());
  });

  it('has a summary, a description and exactly one described tag for every operation', () => {
    const tags = (document.json.tags ?? []).map(({ name }) => name);
    assert.equal(tags[0], 'Sessions and account');
    assert.deepEqual([...new Set(tags)], tags);
    for (const { name, description } of document.json.tags ?? []) assert.ok(description, name);
    assert.deepEqual(
      complaints(({ summary, description, tags: own = [] }) => [
        ...(summary ? [] : ['has no summary']),
        ...(description ? [] : ['has no description']),
        ...(own.length === 1 && tags.includes(own[0] ?? '') ? [] : [`${own} is not among the tags of tsoa.json`]),
      ]),
      [],
    );
  });

  it('describes every parameter with an example', () => {
    assert.deepEqual(
      complaints(({ parameters = [] }) =>
        parameters
          .filter(({ description, example, schema }) => {
            const { examples, enum: values } = resolve(schema, document);
            return !description || (example ?? examples ?? values) === undefined;
          })
          .map(({ name }) => `${name} has no description or no example`),
      ),
      [],
    );
  });

  it('has one success status for every operation, with the schema of its response', () => {
    assert.deepEqual(
      complaints((operation) => {
        const { status, schema } = successOf(operation);
        return !(schema && (status === 200 || status === 201)) && `has the success status ${status}`;
      }),
      [],
    );
  });

  it('has exactly the errors that an operation can return', () => {
    assert.deepEqual(
      complaints((operation) => {
        const takesInput = (operation.parameters ?? []).some((one) => one.in === 'query') || operation.requestBody;
        const has = (status: string) => status in operation.responses;
        const inPath = /\{(\w+_)?id\}/.test(operation.path);
        return [
          ...((operation.security ?? []).length > 0 && !has('401') ? ['has no 401'] : []),
          ...(takesInput && !has('400') ? ['takes input and has no 400'] : []),
          ...(!takesInput && has('400') ? ['takes no input and has 400'] : []),
          ...(inPath && !has('404') ? ['has ids in its path and no 404'] : []),
          ...(has('404') && !hasIds(operation) && !NAMING_OTHERWISE.has(operation.operationId)
            ? ['names nothing and has 404']
            : []),
          ...(has('default') ? [] : ['has no default error']),
        ];
      }),
      [],
    );
  });

  it('names the headers of every response', () => {
    assert.deepEqual(
      complaints(({ responses }) =>
        Object.entries(responses).flatMap(([status, { headers = {} }]) => [
          ...('X-Request-Id' in headers ? [] : [`${status} has no X-Request-Id`]),
          ...((status === '429' || status === '503') && !('Retry-After' in headers)
            ? [`${status} has no Retry-After`]
            : []),
          ...(status.startsWith('2') && !('RateLimit-Remaining' in headers)
            ? [`${status} has no RateLimit-Remaining`]
            : []),
        ]),
      ),
      [],
    );
  });

  it('takes every body as JSON and as a form, uploads in lines, rule sets as YAML, and a file as it is', () => {
    assert.deepEqual(
      complaints(({ requestBody, operationId, path }) => {
        const lines = operationId.startsWith('upload') ? ['text/csv', 'application/x-ndjson'] : [];
        const other = path.startsWith('/rules') ? 'application/yaml' : 'application/x-www-form-urlencoded';
        const expected = path === '/imports' ? ['application/zip'] : ['application/json', ...lines, other];
        const types = Object.keys(requestBody?.content ?? {});
        return requestBody && types.join() !== expected.join() && types.join();
      }),
      [],
    );
  });

  it('deprecates the operations that others do as well', () => {
    assert.deepEqual(complaints(({ deprecated }) => deprecated && 'deprecated').sort(), [
      'get /logout: deprecated',
      'get /metatag_name/{metatag_name}/distinct_values: deprecated',
      'put /sensors/{id}/trigger/{trigger_id}: deprecated',
    ]);
  });

  it('gives no example of an optional parameter that a page would send unasked', () => {
    assert.deepEqual(
      complaints(({ parameters = [] }) =>
        parameters.filter(({ required, example }) => !required && example !== undefined).map(({ name }) => name),
      ),
      [],
    );
  });

  it('has the same body for all errors', () => {
    assert.deepEqual(
      complaints(({ responses }) =>
        Object.entries(responses)
          .filter(([status]) => !status.startsWith('2'))
          .filter(([, { content }]) => content?.['application/json']?.schema.$ref !== '#/components/schemas/ErrorBody')
          .map(([status]) => `${status} has another body`),
      ),
      [],
    );
  });

  it('has an example of every field of requests and responses', () => {
    const missing: string[] = [];
    const check = (schema: Schema, path: string) => {
      if (schema.example !== undefined) return;
      const { properties, items, $ref, allOf, anyOf, oneOf } = schema;
      for (const [key, value] of Object.entries(properties ?? {})) check(value, `${path}.${key}`);
      for (const part of [...(allOf ?? []), ...(anyOf ?? []), ...(oneOf ?? [])]) check(part, path);
      if (items) check(items, `${path}[]`);
      // A reference to a record is complete when that record is, which is checked by its own name.
      const target = resolve(schema, document);
      const isRecord = $ref !== undefined && (target.properties ?? target.oneOf) !== undefined;
      if (!properties && !items && !allOf && !anyOf && !oneOf && !isRecord && schema.type !== 'null')
        missing.push(path);
    };
    for (const [name, schema] of Object.entries(document.json.components.schemas)) {
      if (schema.properties) check(schema, name);
    }
    assert.deepEqual(missing, []);
  });

  it('states correctly which operations require a session, a key or a token', async () => {
    const isPublic = complaints(({ security = [] }) => security.length === 0 && 'public');
    assert.deepEqual(isPublic.sort(), [
      'get /exports/{id}/file: public',
      'get /public/{token}/data: public',
      'get /public/{token}/plan: public',
      'get /public/{token}: public',
      'post /acknowledge/mute: public',
      'post /acknowledge: public',
      'post /confirm: public',
      'post /login/passkey/options: public',
      'post /login/passkey: public',
      'post /login: public',
      'post /requestPasswordReset: public',
      'post /resetPassword: public',
      'post /unsubscribe: public',
      'post /users: public',
    ]);
    for (const operation of document.operations.filter(({ security = [] }) => security.length > 0)) {
      const path = operation.path.replace(/\{\w+\}/g, '1');
      const { status, body } = await platform.anonymous[operation.method](path);
      assert.deepEqual([status, body.code], [401, 'no_session'], `${operation.method} ${path}`);
    }
  });
});
