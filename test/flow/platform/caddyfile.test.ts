import assert from 'node:assert/strict';
import { type Caddy, hasCaddy, startCaddy } from '../../support/caddy';
import { usePlatform } from '../../support/hooks';
import { METRICS_SPELLINGS } from '../../support/metrics-spellings';
import { rawRequest } from '../../support/raw-request';

describe('the Caddyfile, in a Caddy in front of the platform', () => {
  before(async function () {
    if (await hasCaddy()) return;
    console.log('      skipped: caddy is not installed (apt-get install caddy)');
    this.skip();
  });

  describe('that runs', () => {
    const platform = usePlatform({ config: { TRUST_PROXY: '1' } });
    let caddy: Caddy;
    before(async () => {
      caddy = await startCaddy(platform.url);
    });
    after(() => caddy?.close());

    it('shows the metrics to nobody on the public site, however their path is spelled', async () => {
      for (const path of METRICS_SPELLINGS) {
        for (const method of ['GET', 'HEAD', 'POST']) {
          for (const more of [{}, { 'X-Forwarded-Uri': '/metrics', 'X-Original-URL': '/metrics' }]) {
            const { status, text, headers } = await rawRequest(caddy.publicUrl, path, { method, headers: more });
            assert.ok(status === 404 || status === 400, `${method} ${path}: ${status}`);
            assert.ok(!text.includes('# HELP'), path);
            assert.doesNotMatch(String(headers['content-type']), /version=0/, path);
          }
        }
      }
    });

    it('does not leave it to the platform to refuse them', async () => {
      for (const path of [
        '/metrics',
        '/metrics/',
        '/METRICS',
        '/Metrics/',
        '//metrics',
        '/%6detrics',
        '/metrics?x=1',
      ]) {
        const { status, text, headers } = await rawRequest(caddy.publicUrl, path);
        assert.deepEqual([status, text, headers['x-request-id']], [404, '', undefined], path);
      }
    });

    it('shows them to the machine itself, and everything else to everybody', async () => {
      const { status, text } = await rawRequest(caddy.localUrl, '/metrics');
      assert.equal(status, 200);
      assert.match(text, /^# HELP /);
      for (const path of ['/healthz', '/readyz', '/docs', '/openapi.json']) {
        assert.equal((await rawRequest(caddy.publicUrl, path)).status, 200, path);
      }
    });

    it('says by which host a request came, whatever the client says of it', async () => {
      const headers = { 'X-Forwarded-Host': 'evil.example.org', 'X-Forwarded-Proto': 'https' };
      const path = '/.well-known/oauth-authorization-server';
      const { text } = await rawRequest(caddy.publicUrl, path, { headers });
      assert.equal(JSON.parse(text).issuer, caddy.publicUrl);
    });
  });
});
