import assert from 'node:assert/strict';
import { OPERATORS } from '../../src/platform/words/german/operators';
import { inspect, useBrowser } from '../support/browser';
import { usePlatform, useUser } from '../support/hooks';

const LOGIN = { username: 'operator', password: 'board-password' };

describe('the page of operators, in a German browser', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  const browser = useBrowser();

  it('is German, with its lists and what a click has done', async () => {
    const page = await browser.open({ httpCredentials: LOGIN, locale: 'de-DE' });
    const phrases = Object.entries(OPERATORS).filter(([text, german]) => text.includes(' ') && text !== german);
    for (const [path, title] of [
      ['/admin', 'Was Betreiber getan haben'],
      ['/admin?done=redeliver&count=2', '2 Zustellungen werden wieder gesendet.'],
      ['/admin/users', 'Messwerte, 24 h'],
      [`/admin/users/${user.id}`, 'Sitzungen'],
      [`/admin/users/${user.id}/end-sessions`, `Alle Sitzungen von ${user.username} beenden`],
      ['/admin/users/999999', 'Das geht nicht'],
    ] as const) {
      await page.goto(platform.url + path);
      await page.getByText(title).first().waitFor();
      assert.equal(await page.locator('html').getAttribute('lang'), 'de');
      const text = (await page.locator('body').textContent()) ?? '';
      const english = phrases.filter(([one]) => text.includes(one));
      assert.deepEqual(english, [], path);
    }
    await inspect(page, 'operators-german');
  });
});
