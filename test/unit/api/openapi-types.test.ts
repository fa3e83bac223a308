import assert from 'node:assert/strict';
import { completeDocument } from '../../../src/api/openapi';
import openapi from '../../../src/generated/openapi.json';
import { compile, generateTypes } from '../../support/generated-types';

/** A minimal client: the types of a request and of its response are those of the operation. */
const CLIENT = `import type { components, paths } from './types';
type Methods<Path extends keyof paths> = {
  [M in keyof paths[Path]]: paths[Path][M] extends { responses: object } ? M : never;
}[keyof paths[Path]];
type Body<Operation> = Operation extends { requestBody: { content: { 'application/json': infer B } } }
  ? { body: B }
  : { body?: never };
type Parameters<Operation> = Operation extends { parameters: infer P } ? P : never;
type Content<Response> = Response extends { content: { 'application/json': infer C } } ? C : never;
type Success<Operation> = Operation extends { responses: infer R } ? Content<R[keyof R & (200 | 201)]> : never;
type Result<Data> = { data: Data; error?: never } | { data?: never; error: components['schemas']['ErrorBody'] };
export declare function call<Path extends keyof paths, Method extends Methods<Path>>(
  method: Method,
  path: Path,
  request: { params?: Parameters<paths[Path][Method]> } & Body<paths[Path][Method]>,
): Promise<Result<Success<paths[Path][Method]>>>;
`;

/** Uses the API as intended, including each form of an upload. */
const PROGRAM = `import { call } from './client';
const session = await call('post', '/login', { body: { username: 'ada', password: '5ebe2294ecd0e0f08eab7690d2a6ee69' } });
if (session.error) throw new Error(session.error.code === 'login_refused' ? 'wrong password' : session.error.error);
const id: string = session.data.session_id;
const created = await call('post', '/sensors', { body: { sensor: { name: 'greenhouse', use_data_storage: true } } });
const sensor = created.data?.sensor;
const kind: '0' | '1' | '2' | undefined = sensor?.type;
const path = { id: sensor?.id ?? '' };
await call('post', '/sensors/{id}/data', { params: { path }, body: { data: [{ value: 21.5, date: 1795229544.125 }] } });
await call('post', '/sensors/{id}/data', { params: { path }, body: { data: { value: { lux: 3, celsius: [20, 21] } } } });
await call('post', '/sensors/{id}/data', { params: { path }, body: { value: 'open' } });
await call('post', '/sensors/data', { body: { sensors: [{ sensor_id: path.id, data: [{ value: true }] }] } });
const { data: page } = await call('get', '/sensors/{id}/data', {
  params: { path, query: { sort: 'DESC', interval: 3600, per_page: 10, total: true } },
});
const total: number | undefined = page?.total;
const { data: list } = await call('get', '/sensors', { params: { query: { details: 'full', owned: true } } });
const names = list?.sensors.map((one) => ('name' in one ? one.name : one.id));
const trigger = await call('post', '/triggers', { body: { trigger: { name: 'warm', expression: 'x > 1', inactivity: 3600 } } });
const seconds: number | null | undefined = trigger.data?.trigger.inactivity;
await call('post', '/sensors/{id}/triggers', { params: { path }, body: { triggers: [{ trigger: { id: '5' } }] } });
await call('post', '/sensors/{id}/triggers', { params: { path }, body: { trigger: { id: '5' } } });
await call('put', '/sensors/{id}/metatags', { params: { path }, body: { metatags: { room: ['kitchen'], floor: [1, true] } } });
await call('post', '/events/notifications', {
  body: { event_notification: { event: 'add_sensor_data', notification_id: '7', priority: 10 } },
});
const { data: deliveries } = await call('get', '/deliveries', { params: { query: { status: 'failed' } } });
const failed = deliveries?.deliveries.filter((one) => one.status === 'failed' && one.attempts.length > 3);
await call('delete', '/sensors/{id}', { params: { path } });
export { failed, id, kind, names, seconds, total };
`;

/** Programs with one mistake each, in the line that ends with the mark. */
const MARK = '// mistake';
const MISTAKES: Record<string, string> = {
  'a misspelled field of a request': `
await call('post', '/sensors', {
  body: {
    sensor: {
      name: 'greenhouse',
      displayname: 'Greenhouse', ${MARK}
    },
  },
});`,
  'a value that an enum does not have': `
await call('post', '/notifications', {
  body: {
    notification: {
      type: 'mail', ${MARK}
      destination: 'ada@example.org',
    },
  },
});`,
  'a string for a number': `
await call('post', '/triggers', {
  body: {
    trigger: {
      name: 'quiet',
      inactivity: '3600', ${MARK}
    },
  },
});`,
  'a string for a boolean': `
await call('post', '/sensors/{id}/triggers/{trigger_id}/active', {
  params: { path: { id: '42', trigger_id: '5' } },
  body: { active: 'true' }, ${MARK}
});`,
  'a missing required field': `
await call('post', '/users', {
  body: { user: { username: 'ada', email: 'ada@example.org' } }, ${MARK}
});`,
  'a wrong wrapper of a body': `
await call('post', '/sensors', {
  body: { sensors: { name: 'greenhouse' } }, ${MARK}
});`,
  'a wrong name of a path parameter': `
await call('get', '/sensors/{id}', {
  params: { path: { sensor_id: '42' } }, ${MARK}
});`,
  'an unknown query parameter': `
await call('get', '/sensors', {
  params: { query: { per_page: 10, own: true } }, ${MARK}
});`,
  'a method that a path does not have': `
await call('put', '/sensors/{id}/data', { ${MARK}
  params: { path: { id: '42' } },
});`,
  'a field that a response does not have': `
const { data } = await call('get', '/sensors/{id}', { params: { path: { id: '42' } } });
console.log(data?.sensor.displayName); ${MARK}`,
  'an event that does not exist': `
await call('post', '/events/notifications', {
  body: {
    event_notification: {
      event: 'sensor_added', ${MARK}
      notification_id: '7',
    },
  },
});`,
  'an interval that does not exist': `
await call('get', '/sensors/{id}/data', {
  params: { path: { id: '42' }, query: { interval: 900 } }, ${MARK}
});`,
  'a status that never occurs': `
const { data } = await call('get', '/deliveries/{id}', { params: { path: { id: '311' } } });
if (data?.delivery.status === 'sent') console.log('done'); ${MARK}`,
  'a code of errors that does not exist': `
const { error } = await call('get', '/sensors/{id}', { params: { path: { id: '42' } } });
if (error?.code === 'unknown_sensor') console.log('gone'); ${MARK}`,
  'an upload without a value': `
await call('post', '/sensors/{id}/data', {
  params: { path: { id: '42' } },
  body: { data: [{ date: 1795229544 }] }, ${MARK}
});`,
  'a misspelled field of an upload': `
await call('post', '/sensors/{id}/data', {
  params: { path: { id: '42' } },
  body: { data: [{ value: 21.5, time: 1795229544 }] }, ${MARK}
});`,
  'a list that is neither there nor replaced by a single item': `
await call('post', '/sensors/{id}/triggers', {
  params: { path: { id: '42' } },
  body: {}, ${MARK}
});`,
  'a field that may be null taken for a number': `
const { data } = await call('get', '/triggers/{id}', { params: { path: { id: '5' } } });
const seconds: number = data ? data.trigger.inactivity : 0; ${MARK}`,
};

describe('the types that openapi-typescript generates from the OpenAPI document', () => {
  let program: Awaited<ReturnType<typeof compile>>;
  let wrong: Awaited<ReturnType<typeof compile>>;
  const mistakes = Object.entries(MISTAKES).map(([name, text], index) => ({ name, text, file: `mistake-${index}.ts` }));

  before(async () => {
    const types = await generateTypes(completeDocument(openapi));
    const shared = { 'types.ts': types, 'client.ts': CLIENT };
    program = await compile({ ...shared, 'program.ts': PROGRAM });
    const wrongFiles = mistakes.map(({ file, text }) => [
      file,
      `import { call } from './client';${text}\nexport {};\n`,
    ]);
    wrong = await compile({ ...shared, ...Object.fromEntries(wrongFiles) });
  });

  it('let a correct program compile', () => {
    assert.equal(program.output, '');
  });

  for (const { name, text, file } of mistakes) {
    it(`make ${name} a compiler error at its line`, () => {
      const line = text.split('\n').findIndex((one) => one.endsWith(MARK)) + 1;
      const places = wrong.places.filter((place) => place.startsWith(`${file}:`));
      assert.deepEqual(places, [`${file}:${line}`], wrong.output);
    });
  }
});
