import assert from 'node:assert/strict';
import { inspectConsole, useConsole, watchErrors } from '../support/console';
import { buildSensor, share } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';

describe('labels in the console', function () {
  this.timeout(90_000);
  const platform = usePlatform();
  const user = useUser(platform);
  const friend = useUser(platform);
  const open = useConsole(platform, user);

  const tag = async (id: string, metatags: object, { api } = user, namespace = 'default') => {
    const answer = await api.put(`/sensors/${id}/metatags?namespace=${namespace}`, { metatags });
    assert.equal(answer.status, 200);
  };
  const tags = async (id: string, namespace = 'default') =>
    (await user.api.get(`/sensors/${id}/metatags?namespace=${namespace}`)).body.metatags;
  const openWith = async (...columns: string[]) => {
    const page = await open('/sensors');
    await page.evaluate((stored) => localStorage.setItem('sensors-view', stored), JSON.stringify({ columns }));
    await page.reload();
    return page;
  };

  it('are edited in the table: Enter stores one metatag, Escape leaves, an error says why', async () => {
    const [first, second, foreign] = [
      await buildSensor(user, { name: 'freezer 1' }),
      await buildSensor(user, { name: 'freezer 2' }),
      await buildSensor(friend, { name: 'freezer 3' }),
    ];
    await tag(first, { limit: 8, kind: 'freezer' });
    await tag(first, { limit: 3 }, user, 'shop');
    await tag(second, { zone: ['one, two'] });
    await tag(foreign, { limit: 5 }, friend);
    await share(friend, foreign, user);
    const page = await openWith('tag:limit', 'tag:shop:limit', 'tag:zone');
    const errors = watchErrors(page);
    const pencil = (what: string) => page.getByRole('button', { name: `Edit ${what}`, exact: true });
    const field = (what: string) => page.getByRole('textbox', { name: what, exact: true });
    await pencil('limit of freezer 1').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await field('limit of freezer 2').fill('-18,5');
    await inspectConsole(page, 'sensors-edited');
    await page.keyboard.press('Enter');
    await pencil('limit of freezer 2').and(page.locator(':focus')).waitFor();
    assert.deepEqual(await tags(second), { zone: ['one, two'], limit: ['-18.5'] });
    await page
      .getByRole('row', { name: /freezer 2/ })
      .getByText('-18.5')
      .waitFor();
    await page.keyboard.press('Enter');
    await field('limit of freezer 2').fill('99');
    await page.keyboard.press('Escape');
    await pencil('limit of freezer 2').and(page.locator(':focus')).waitFor();
    await pencil('shop:limit of freezer 1').click();
    await field('shop:limit of freezer 1').fill('4, 2');
    await page.keyboard.press('Enter');
    await pencil('shop:limit of freezer 1').waitFor();
    assert.deepEqual(
      [await tags(first, 'shop'), await tags(first)],
      [{ limit: ['4', '2'] }, { limit: [8], kind: ['freezer'] }],
    );
    await pencil('limit of freezer 1').click();
    await field('limit of freezer 1').fill('x'.repeat(101));
    await page.keyboard.press('Enter');
    await page.getByText(/is longer than 100 characters/).waitFor();
    await inspectConsole(page, 'sensors-edit-refused');
    await field('limit of freezer 1').fill('');
    await page.keyboard.press('Enter');
    await pencil('limit of freezer 1').waitFor();
    assert.deepEqual(await tags(first), { kind: ['freezer'] });
    assert.equal(await pencil('limit of freezer 3').count(), 0, 'it is not mine');
    assert.equal(await pencil('zone of freezer 2').count(), 0, 'it has a comma');
    assert.deepEqual(await tags(second), { zone: ['one, two'], limit: ['-18.5'] });
    assert.deepEqual(errors, []);
  });
});
