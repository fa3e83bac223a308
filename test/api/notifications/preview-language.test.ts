import assert from 'node:assert/strict';
import { buildAlarm } from '../../support/alarm';
import { upload } from '../../support/factories';
import { usePlatform, useUser } from '../../support/hooks';

type Fields = Record<string, unknown>;

describe('the language of the preview of a notification', () => {
  const platform = usePlatform();
  const user = useUser(platform);
  const preview = async (notification: Fields, more: Fields = {}) => {
    const response = await user.api.post('/notifications/preview', { notification, ...more });
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return response.body.preview;
  };

  it('is that of the account, with the words of a preset, and English for programs', async () => {
    await user.api.put(`/users/${user.id}`, { user: { language: 'de' } });
    const webhook_url = `https://discord.com/api/webhooks/1310203040506070809/${'a'.repeat(60)}`;
    const discord = { preset: 'discord', webhook_url, text: '$sensor_name: $sensor_data_value' };
    const shown = async (more: Fields = {}) => JSON.parse((await preview(discord, more)).body).embeds[0];
    const sample = await shown();
    assert.equal(sample.title, 'Test: Beispielregel bei Beispielsensor');
    assert.match(sample.description, /^Beispielsensor: 21\.5 \(Beispiel\)\s+Alarm$/);
    const ended = 'Beispielregel bei Beispielsensor: beendet';
    assert.equal((await shown({ state: 'resolved' })).description, `${ended}\n\nbeendet`);
    const { sensorId } = await buildAlarm(user, {
      sensor: { name: 'Halle' },
      trigger: { name: 'warm', expression: 'sensor_data_value > 30', notify_resolved: true },
      notifications: [],
    });
    await upload(user, sensorId, { value: 31 });
    await platform.settle();
    assert.match((await shown()).description, /Alarm · \[Bestätigen\]\(http.*\) · \[Diagramm\]\(http/);
    const mail = { type: 'email', destination: 'ann@example.org', text: '' };
    assert.equal((await preview(mail, { state: 'resolved' })).body, 'warm bei Halle: beendet');
    const forPrograms = JSON.parse(
      (await preview({ type: 'url', destination: 'https://example.org/hook', format: 'json' }, { state: 'resolved' }))
        .body,
    );
    assert.equal(forPrograms.data.text, 'warm on Halle: resolved');
    const { notification } = (await user.api.post('/notifications', { notification: discord })).body;
    assert.match(notification.body.embeds[0].description, /\[Bestätigen\]/);
  });
});
