import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ExampleRequest, exampleRequest } from '../../../src/api/docs/example-request';
import { LANGUAGES, PLACEHOLDERS, type SnippetLanguage, snippetsOf } from '../../../src/api/docs/snippets';
import { completeDocument } from '../../../src/api/openapi';
import { operationsOf } from '../../../src/api/openapi/document';
import openapi from '../../../src/generated/openapi.json';
import { inHarmlessOrder } from '../../support/access-table';
import { type ApiDocument, type Operation, readDocument, successOf } from '../../support/api-document';
import { idsOf } from '../../support/composed-request';
import { buildEstate, type Estate, kindInPath, withIds } from '../../support/estate';
import { usePlatform } from '../../support/hooks';
import { Mailbox } from '../../support/mailbox';
import type { Platform } from '../../support/platform';
import { OF_BROWSERS, OIDC, PREPARED } from '../../support/prepared-examples';

/** What newcomers copy, which runs in every language. */
const FREQUENT = [
  ...['login', 'createUser', 'createKey', 'createSensor', 'listSensors', 'getSensor', 'updateSensor', 'findSensors'],
  ...['uploadData', 'readData', 'uploadSensorsData', 'readSensorsData', 'deleteData', 'createTrigger', 'listTriggers'],
  ...['connectTriggers', 'createNotification', 'connectNotifications', 'listAllFirings', 'addMetatags', 'listEvents'],
  ...['createImport'],
];
const LIMIT_MS = 60_000;
/** What programs send as a file. */
const FILE = join(tmpdir(), `sensors-file-${process.pid}.zip`);
/** Of a program that reads a stream, which has no end. */
const STREAM_SECONDS = 2;
const document = completeDocument(openapi);
const PLACED = new Map(operationsOf(document).map((placed) => [placed.operation.operationId, placed]));

describe('the examples of the reference', () => {
  const mailbox = Mailbox.use();
  const platform = usePlatform(() => ({ config: { ...mailbox.settings, ...OIDC, MAIL_CONFIRMATION: 'required' } }));
  let described: ApiDocument;
  const newEstate = async () => buildEstate(platform, await platform.user());

  before(async () => {
    described = await readDocument(platform);
    writeFileSync(FILE, 'PK, and no zip');
  });
  after(() => rmSync(FILE));

  it('succeed with curl, for every operation', async function () {
    this.timeout(600_000);
    const failures: string[] = [];
    let shared = await newEstate();
    for (const operation of inHarmlessOrder(described.operations)) {
      if (OF_BROWSERS.includes(operation.operationId)) continue;
      // They share an estate; after one that takes from it what others need, the next gets a new one.
      if (await problemOf('curl', operation, shared, platform)) {
        shared = await newEstate();
        const problem = await problemOf('curl', operation, shared, platform);
        if (problem) failures.push(problem);
      }
    }
    assert.deepEqual(failures, []);
  });

  for (const language of ['python', 'javascript'] as const) {
    it(`succeed in ${LANGUAGES[language]}, for frequent operations`, async function () {
      this.timeout(600_000);
      if (language === 'python' && spawnSync('python3', ['-c', 'import requests']).status !== 0) {
        console.log('    skipped: there is no python3 with the package requests');
        this.skip();
      }
      const frequent = described.operations.filter(({ operationId }) => FREQUENT.includes(operationId));
      assert.equal(frequent.length, FREQUENT.length);
      const failures: string[] = [];
      const estate = await newEstate();
      for (const operation of inHarmlessOrder(frequent)) {
        const problem = await problemOf(language, operation, estate, platform);
        if (problem) failures.push(problem);
      }
      assert.deepEqual(failures, []);
    });
  }
});

/** Runs the program that a reader copies, with the ids of the estate; undefined if it succeeds. */
async function problemOf(
  language: SnippetLanguage,
  operation: Operation,
  estate: Estate,
  platform: Platform,
): Promise<string | undefined> {
  const { operationId } = operation;
  const request = await requestOf(operation, estate, platform);
  const text = snippetsOf(request, platform.url)
    [language].replaceAll('export-7.zip', FILE)
    .replaceAll(PLACEHOLDERS.session, estate.user.session)
    .replaceAll(PLACEHOLDERS.key, request.credential === 'key' ? await newKey(estate) : '');
  const { failed, output } = await RUN[language](text, request);
  const expected = `${successOf(operation).status}`;
  const isFine = language === 'curl' ? output.endsWith(expected) : !failed;
  return isFine ? undefined : `${operationId}: ${output}\n${text}`;
}

async function requestOf(operation: Operation, estate: Estate, platform: Platform): Promise<ExampleRequest> {
  const { operationId, path } = operation;
  const placed = PLACED.get(operationId) ?? assert.fail(operationId);
  const example = exampleRequest(placed, document);
  const idAt = idsOf(estate);
  const isId = (name: string) => name === 'id' || name.endsWith('_id');
  const segments = example.path.split('/');
  const withOwnIds = path
    .split('/')
    .map((segment, index) => {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      return name && isId(name) ? idAt(kindInPath(path, name), name) : (segments[index] ?? '');
    })
    .join('/');
  const composed = {
    ...{ method: operation.method, path: withOwnIds },
    query: { ...Object(withIds(example.query, idAt)) },
    body: example.body === undefined ? undefined : withIds(example.body, idAt),
  };
  // The accounts of all languages are in one database.
  if (operationId === 'createUser') Object(composed.body).user.username = `ada-${Math.random()}`;
  const prepared = (await PREPARED[operationId]?.(composed, estate, platform)) ?? composed;
  const { path: at, query, body } = prepared;
  return { ...example, path: at, query, ...(example.file === undefined && { body }) };
}

async function newKey({ user }: Estate): Promise<string> {
  const { status, body } = await user.api.post('/keys', { key: { name: 'example', scopes: ['read', 'write'] } });
  return status === 201 ? String(body.key.secret) : '';
}

interface Outcome {
  failed: boolean;
  output: string;
}

const RUN: Record<SnippetLanguage, (text: string, request: ExampleRequest) => Promise<Outcome>> = {
  curl: (text, { isStream }) => {
    const limit = isStream ? ` --max-time ${STREAM_SECONDS}` : '';
    return run('bash', ['-c', `${text} -sS -w '\\n%{http_code}'${limit}`]);
  },
  python: (text) => run('python3', ['-c', text]),
  javascript: (text) => run(process.execPath, ['--input-type=module', '-e', text]),
};

function run(program: string, given: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(program, given, { timeout: LIMIT_MS }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: `${stderr}${stdout}` }),
    );
  });
}
