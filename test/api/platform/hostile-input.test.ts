import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ApiDocument, bodySchema, type Operation, readDocument } from '../../support/api-document';
import { composeRequest, idsOf } from '../../support/composed-request';
import { buildEstate, type Estate } from '../../support/estate';
import { usePlatform } from '../../support/hooks';
import { type HostileRequest, hostileRequests, worstBodies } from '../../support/hostile';
import { rawRequest } from '../../support/raw-request';

const RUNS = Number(process.env.HOSTILE_RUNS ?? 10);
/** What a response must never contain: code, queries, paths of files. */
const INSIDES =
  /\bat \S+ \(|node_modules|\.ts:\d|SELECT |INSERT |UPDATE \w+ SET|ER_[A-Z_]+|Sequelize|SQL syntax|\/src\//;

describe('hostile input', () => {
  const seed = Number(process.env.HOSTILE_SEED ?? Date.now() % 2 ** 31);
  const platform = usePlatform();
  let document: ApiDocument;

  before(async () => {
    console.log(`    HOSTILE_SEED=${seed}`);
    document = await readDocument(platform);
    await platform.startWorkers(['deliveries']); // a caller may wait for the result of a test of a notification
  });

  it('causes no server error in any operation, and refusals explain the error', async function () {
    this.timeout(Math.max(600_000, RUNS * 5_000));
    const faults: string[] = [];
    for (const operation of document.operations) {
      const estate = await estateFor(operation);
      const requests = hostileRequests(operation, document, estate);
      const property = fc.asyncProperty(requests, (request) => survives(operation, estate, request));
      const result = await fc.check(property, { seed, numRuns: RUNS });
      if (result.failed) faults.push(`${result.errorInstance} for ${JSON.stringify(result.counterexample)}`);
    }
    assert.deepEqual(faults, []);
    assert.ok(!('a' in {}) && !('x' in {}) && !('b' in {}), 'no prototype was changed');
    assert.equal((await (await platform.user()).api.get('/sensors')).status, 200);
  });

  it('causes no server error in any single field of a body, and accepted input harms no worker', async function () {
    this.timeout(600_000);
    const faults: string[] = [];
    for (const operation of document.operations.filter((one) => bodySchema(one))) {
      const estate = await estateFor(operation);
      const { path } = composeRequest(operation, document, idsOf(estate));
      for (const body of worstBodies(operation, document, estate, seed)) {
        const request = { method: operation.method.toUpperCase(), path, type: 'application/json', body };
        await survives(operation, estate, request).catch((error) => faults.push(String(error)));
      }
      if (operation.path.startsWith('/sensors')) await platform.settle();
    }
    assert.deepEqual(faults, []);
  });

  const shared = new Map<string | undefined, Estate>();
  /** An estate for the operation to work on: its own where it may end a session or delete things. */
  const estateFor = async ({ method, tags: [tag] = [] }: Operation): Promise<Estate> => {
    const isFinal = method === 'delete' || tag === 'Users' || tag === 'Sessions and account';
    const estate = (isFinal ? undefined : shared.get(tag)) ?? (await buildEstate(platform, await platform.user()));
    if (!isFinal) shared.set(tag, estate);
    return estate;
  };

  const survives = async (operation: Operation, { user }: Estate, request: HostileRequest) => {
    const { method, path, type, body } = request;
    const headers = { 'X-SESSION_ID': user.session, 'Content-Type': type };
    const response = await rawRequest(platform.url, path, { method, headers, ...(method === 'GET' ? {} : { body }) });
    const about = `${operation.operationId}: ${response.status} ${response.text.slice(0, 500)}`;
    assert.ok(response.status < 500, about);
    const isOther = /^(text\/event-stream|image\/|application\/yaml)/.test(response.headers['content-type'] ?? '');
    const parsed: unknown = isOther ? undefined : JSON.parse(response.text);
    if (response.status < 400) return;
    const { error, code } = Object(parsed);
    assert.ok(typeof error === 'string' && error.length > 0 && /^[a-z_]+$/.test(code), about);
    assert.ok(!INSIDES.test(response.text.replaceAll(body, '')), about);
  };
});
