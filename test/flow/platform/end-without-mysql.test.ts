import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { useCuttable, usePlatform, useUser } from '../../support/hooks';
import { startApiElsewhere } from '../../support/other-process';
import { until } from '../../support/until';

describe('an API process that is asked to end while MySQL does not answer', () => {
  const platform = usePlatform();
  const mysql = useCuttable('MYSQL_URL');
  const user = useUser(platform);

  /** The status of a login; the models look up its user. */
  function logIn(url: string, agent: Agent): Promise<number | undefined> {
    const parameters = new URLSearchParams({ username: user.username, password: user.password });
    return new Promise((resolve, reject) => {
      const sent = request(`${url}/login?${parameters}`, { method: 'POST', agent }, (response) => {
        response.once('error', reject);
        response.resume().once('end', () => resolve(response.statusCode));
      });
      sent.once('error', reject).end();
    });
  }

  it('gives up the requests that wait for it, and ends', async () => {
    const { redisUrl, mysqlUrl } = platform.container.config;
    const through = new URL(mysql.url);
    through.pathname = new URL(mysqlUrl).pathname;
    // A request that comes with the signal is read before the process stops listening.
    const settings = { MYSQL_URL: through.toString(), SHUTDOWN_DELAY_MS: '200' };
    const { child, url } = await startApiElsewhere(platform, redisUrl, settings);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let log = '';
    child.stdout?.on('data', (text) => {
      log += text;
    });
    try {
      await until('the API listens', () => log.includes('listening'));
      assert.equal(await logIn(url, agent), 200);
      mysql.stop();
      const answered = logIn(url, agent).catch(() => 'cut off');
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      assert.deepEqual(await ended, [0, null], log);
      assert.notEqual(await answered, 200);
    } finally {
      agent.destroy();
      child.kill('SIGKILL');
    }
    assert.match(log, /MySQL does not answer; nothing waits for it any more/);
    assert.match(log, /"msg":"stopped"/);
  });
});
