import assert from 'node:assert/strict';
import { PRESETS } from '../../../src/notifications/presets';
import { fakeClock } from '../../support/fake-clock';
import { usePlatform, useUser } from '../../support/hooks';
import { type Exchange, exchangesIn, Replay } from '../../support/http-examples';
import { readPage, tablesIn } from '../../support/markdown';
import { SERVICES } from '../../support/services/all';
import { type Service, startService } from '../../support/services/service';

const PAGE = readPage('docs/channels.md');
const EXCHANGES = exchangesIn(PAGE);

/** The request of the page with the service of the tests in the place of the real one. */
function redirected(exchange: Exchange, { url }: Service): Exchange {
  const { notification } = JSON.parse(exchange.body);
  const preset = PRESETS.find(({ name }) => name === notification.preset) ?? assert.fail(notification.preset);
  for (const { name, format } of preset.fields) {
    if (format === 'text') continue;
    const { pathname, search } = new URL(notification[name] ?? url);
    notification[name] = format === 'server' ? url : `${url}${pathname}${search}`;
  }
  return { ...exchange, body: JSON.stringify({ notification }) };
}

describe('docs/channels.md', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const user = useUser(platform);

  it('has a request for each preset', () => {
    const presets = EXCHANGES.map(({ body }) => JSON.parse(body).notification.preset).sort();
    assert.deepEqual(presets, PRESETS.map(({ name }) => name).sort());
  });

  it('names the page of each service that the preset names', () => {
    for (const { name, documentation } of PRESETS) assert.ok(PAGE.includes(`<${documentation}>`), name);
  });

  it('leads from its first table to the section of each preset', () => {
    const [table] = tablesIn(PAGE);
    const linked = (table?.rows ?? []).flatMap((row) => [...(row.presets ?? '').matchAll(/\[`(\w+)`\]/g)]);
    assert.deepEqual(linked.map(([, name]) => name).sort(), PRESETS.map(({ name }) => name).sort());
  });

  for (const exchange of EXCHANGES) {
    it(`shows a request that works, under ${exchange.heading}`, async () => {
      const { preset } = JSON.parse(exchange.body).notification;
      const rules = SERVICES.find((one) => one.preset === preset) ?? assert.fail(preset);
      const service = await startService(rules);
      try {
        await new Replay(platform, user).send(redirected(exchange, service));
        const { notifications } = (await user.api.get('/notifications?per_page=1000')).body;
        const tested = user.api.post(`/notifications/${notifications.at(-1).id}/test?wait=0`);
        await platform.settle();
        assert.ok((await tested).status < 300);
        await platform.settle();
        assert.deepEqual([service.refusals, service.shown.length], [[], 1]);
      } finally {
        await service.close();
      }
    });
  }
});
