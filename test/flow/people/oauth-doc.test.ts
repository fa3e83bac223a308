import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { usePlatform, useUser } from '../../support/hooks';
import { readPage } from '../../support/markdown';
import { OAuth2Flow } from '../../support/oauth2';

/** The commands between two texts of the page, in order. */
function commandsOf(page: string, from: string, to: string): string {
  const section = page.slice(page.indexOf(from), page.indexOf(to));
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code).join('\n');
}

function runInBash(
  commands: string,
  env: Record<string, string>,
): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve, reject) => {
    const bash = spawn('bash', ['-eu', '-c', commands], { env: { ...process.env, ...env }, timeout: 15_000 });
    let [out, err] = ['', ''];
    bash.stdout.on('data', (chunk) => {
      out += chunk;
    });
    bash.stderr.on('data', (chunk) => {
      err += chunk;
    });
    bash.once('error', reject);
    bash.once('close', (code) => resolve({ code, out, err }));
  });
}

const REGISTER = '\n## Register an application\n';
const EXCHANGE = '\nThe user logs in, decides, and comes back to `https://weather.example.org/allowed?code=';

describe('the commands of docs/oauth.md', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  it('register an application and lead to access by OAuth 1.0a', async () => {
    const page = readPage('docs/oauth.md');
    const commands = commandsOf(page, REGISTER, '### What is signed');
    // Users of tests have the digest of their username as password.
    const env = { API: platform.url, USERNAME: user.username, PASSWORD: user.username };
    const { code, out, err } = await runInBash(commands, env);
    assert.equal(code, 0, err);
    const [current = '', created = '', listed = ''] = out.split(/(?<=\})(?=\{)/);
    assert.equal(JSON.parse(current).user.id, user.id);
    assert.equal(JSON.parse(created).sensor.name, 'thermometer');
    assert.deepEqual(
      JSON.parse(listed).sensors.map(({ name }: { name: string }) => name),
      ['thermometer'],
    );
    const [authorization] = (await user.api.get('/oauth/authorizations')).body.authorizations;
    assert.equal(authorization.application.name, 'Weather station');
    assert.equal(Math.round(authorization.expires - authorization.created), 86_400);
  });

  it('lead to access by OAuth 2, for a user and for a service', async () => {
    const page = readPage('docs/oauth.md');
    const env = { API: platform.url, USERNAME: user.username, PASSWORD: user.username };
    const begin = `${commandsOf(page, REGISTER, '\n## Which protocol')}\n${commandsOf(page, '\n### For users\n', EXCHANGE)}`;
    const first = await runInBash(`${begin}\nprintf '%s\\n' "$SESSION" "$KEY" "$SECRET" "$VERIFIER"`, env);
    assert.equal(first.code, 0, first.err);
    const [address = '', SESSION = '', KEY = '', SECRET = '', VERIFIER = ''] = first.out.split('\n');
    const application = { id: '', name: '', type: 'web', consumer_key: KEY, consumer_secret: SECRET };
    const flow = new OAuth2Flow(platform, application);
    const back = await flow.decide(user, address.slice(platform.url.length));
    const CODE = back.get('code') ?? '';
    const [field = ''] = /^field\(\).*$/m.exec(page) ?? [];
    const rest = `${field}\n${commandsOf(page, EXCHANGE, '\n### Errors\n')}`;
    const { code, out, err } = await runInBash(rest, { ...env, SESSION, KEY, SECRET, VERIFIER, CODE });
    assert.equal(code, 0, err);
    const answers = out.split(/(?<=\})(?=\{)/).map((text) => JSON.parse(text));
    assert.deepEqual([answers[0].user.id, answers[1].sensor.name], [user.id, 'thermometer']);
    assert.deepEqual([answers[2].active, answers[2].scope], [true, 'read data:write']);
    assert.deepEqual(answers.slice(3), [{}, { active: false }]);
  });
});
