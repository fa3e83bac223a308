import assert from 'node:assert/strict';
import { html } from '../../../src/platform/html';
import { usePlatform } from '../../support/hooks';
import { rawRequest } from '../../support/raw-request';

/** What Chromium sends with a form, shortened. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

describe('the form of a page', () => {
  const platform = usePlatform();

  const post = async (path: string, body: string, accept?: string) => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', ...(accept && { Accept: accept }) };
    const { status, headers: got, text } = await rawRequest(platform.url, path, { method: 'POST', headers, body });
    return { status, type: String(got['content-type']), text };
  };

  it('has a page for an answer in a browser only, and JSON for everybody else, whatever they accept', async () => {
    const page = await post('/unsubscribe?token=x', '', BROWSER);
    assert.deepEqual([page.status, page.type], [400, 'text/html; charset=utf-8']);
    for (const accept of [undefined, '*', '*/*', '*/*, *', 'application/json', 'application/json, text/html', 'x']) {
      const { status, type, text } = await post('/unsubscribe?token=x', '', accept);
      assert.deepEqual([status, type], [400, 'application/json; charset=utf-8'], accept);
      assert.ok('error' in JSON.parse(text));
    }
  });

  it('never shows what was entered as HTML', async () => {
    const evil = '"><img src=x onerror=alert(1)>';
    const { text } = await post(
      `/resetPassword?token=${encodeURIComponent(evil)}`,
      'password=long enough&again=no',
      BROWSER,
    );
    assert.ok(!text.includes('onerror'));
    assert.equal(
      html`<p title="${evil}">${[html`<b>`, html`${"'&"}`]}${false}${undefined}${7}</p>`.text,
      '<p title="&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"><b>&#39;&amp;7</p>',
    );
  });

  it('refuses a password that is too short, counted in characters, and one that differs from its repetition', async () => {
    for (const [password, again, error] of [
      ['1234567', '1234567', 'at least 8 characters'],
      ['🦜🦜🦜🦜', '🦜🦜🦜🦜', 'at least 8 characters'],
      ['12345678', '12345679', 'not the same'],
      ['12345678', '', 'not the same'],
    ] as const) {
      const { status, text } = await post(
        '/resetPassword?token=x',
        new URLSearchParams({ password, again }).toString(),
        BROWSER,
      );
      assert.equal(status, 400);
      assert.ok(text.includes(error), text);
    }
  });
});
