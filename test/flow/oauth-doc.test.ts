import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { usePlatform, useUser } from '../support/hooks';
import { readPage } from '../support/markdown';

/** The commands of a section of the page, in order. */
function commandsOf(page: string, from: string, to: string): string {
  const section = page.slice(page.indexOf(`\n## ${from}\n`), page.indexOf(to));
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

describe('the commands of docs/oauth.md', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  it('register an application and lead to access by OAuth 1.0a', async () => {
    const page = readPage('docs/oauth.md');
    const commands = commandsOf(page, 'Register an application', '### What is signed');
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
});
