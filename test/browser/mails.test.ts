import assert from 'node:assert/strict';
import type { OutgoingDelivery } from '../../src/notifications/delivery/channels/channel';
import { toMail } from '../../src/notifications/delivery/channels/delivery-mail';
import { alert } from '../support/alerts';
import { inspect, useBrowser } from '../support/browser';
import { outgoing } from '../support/channel-suite';

const LINKS = {
  acknowledgeUrl: 'https://sensors.example.org/acknowledge?token=k',
  unsubscribeUrl: 'https://sensors.example.org/unsubscribe?token=a',
};
const { sensor } = alert();
const LONG = 'a_name_without_any_place_to_break_the_line_'.repeat(5);

const MAILS: Record<string, Partial<OutgoingDelivery>> = {
  firing: { text: 'It is too warm in the greenhouse: open the windows.\nCall Ada if you cannot.', alert: alert() },
  resolved: {
    acknowledgeUrl: undefined,
    text: 'too warm on greenhouse: resolved',
    alert: alert({ state: 'resolved', resolvedBy: 'data', value: '29.4' }),
  },
  test: { text: 'greenhouse: 31.2 °C', cause: { kind: 'test' }, alert: alert() },
  fields: {
    text: '',
    alert: alert({
      value: '{"celsius":31.2,"humidity":40,"door":"open"}',
      sensor: { ...sensor, dataStructure: '{"celsius":"float [°C]","humidity":{"unit":"%"}}' },
    }),
  },
  long: {
    text: LONG,
    alert: alert({
      value: LONG,
      trigger: { ...alert().trigger, name: LONG, expression: `sensor_data_value != "${LONG}"` },
    }),
  },
  digest: {
    text: '',
    acknowledgeUrl: undefined,
    cause: {
      kind: 'digest',
      digest: { count: 140, items: Array.from({ length: 12 }, (_, index) => itemOf(index)), afterMute: false },
    },
  },
  event: { text: '', cause: { kind: 'event', event: 'add_sensor_user', subjectId: 2, sourceId: 42, userId: 1 } },
};

function itemOf(index: number) {
  const name = `greenhouse ${index}`;
  return { webhookId: `msg_${index}`, text: 'hot', alert: alert({ sensor: { ...sensor, name } }), reading: '31.2 °C' };
}

describe('mails, in a browser without scripts', () => {
  const browser = useBrowser();

  for (const [name, fields] of Object.entries(MAILS)) {
    it(`look as they should on every screen: ${name}`, async () => {
      const { subject, html: body } = toMail(outgoing({ ...LINKS, ...fields }), 'https://sensors.example.org');
      const page = await browser.open();
      await page.route('https://mail.example.org/', (route) =>
        route.fulfill({ body, contentType: 'text/html; charset=utf-8' }),
      );
      await page.goto('https://mail.example.org/');
      await inspect(page, `mail-${name}`);
      assert.equal(await page.title(), subject);
      assert.equal(await page.getByRole('heading').count(), 1);
      assert.equal(
        await page.getByRole('link', { name: 'Stop these mails' }).getAttribute('href'),
        LINKS.unsubscribeUrl,
      );
      assert.equal(await page.locator('img, script, iframe, form').count(), 0);
    });
  }
});
