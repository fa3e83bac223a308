import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { requestsIn } from '../../../src/api/docs/http-block';
import { PLACEHOLDERS, snippetsOf } from '../../../src/api/docs/snippets';
import { createKey } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';
import { exchangesIn, Replay } from '../../support/http-examples';
import { codeBlocksIn, readPage } from '../../support/markdown';

const run = promisify(execFile);

describe('the requests of guides, pasted as curl', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  for (const page of ['docs/alerts.md', 'docs/audit.md', 'docs/services.md']) {
    it(`answer as ${page} says`, async function () {
      this.timeout(120_000);
      const { secret } = await createKey(user);
      const send = async (method: string, path: string, body?: unknown) => {
        const [request = assert.fail(path)] = requestsIn(
          `${method} ${path}\n${body === undefined ? '' : JSON.stringify(body)}\n`,
        );
        const text = snippetsOf(request, platform.url).curl.replaceAll(PLACEHOLDERS.key, secret);
        const { stdout } = await run('bash', ['-c', `${text} -sS -w '\\n%{http_code}'`]);
        const [, answer = '', status] = /^([\s\S]*)\n(\d{3})$/.exec(stdout) ?? [];
        return { status: Number(status), body: JSON.parse(answer) };
      };
      const replay = new Replay(platform, {
        api: {
          get: (path) => send('GET', path),
          post: (path, body) => send('POST', path, body),
          put: (path, body) => send('PUT', path, body),
          delete: (path, body) => send('DELETE', path, body),
        },
      });
      for (const exchange of exchangesIn(readPage(page))) await replay.send(exchange);
    });
  }

  it('are all that guides show, each with what it sends', () => {
    for (const page of ['alerts', 'audit', 'backtest', 'channels', 'recipes', 'services']) {
      const text = readPage(`docs/${page}.md`);
      const blocks = codeBlocksIn(text).filter(({ language }) => language === 'http');
      const found = blocks.flatMap((block) => requestsIn(block.text));
      const shown = exchangesIn(text).map(({ method, path, body }) => ({
        ...{ method, path },
        body: body === '' ? undefined : JSON.parse(body),
      }));
      assert.deepEqual(
        found.map(({ method, path, body }) => ({ method, path, body })),
        shown,
        page,
      );
    }
  });
});
