import assert from 'node:assert/strict';
import { PRESETS } from '../../../../src/notifications/presets';
import type { Preset } from '../../../../src/notifications/presets/preset';
import { readPresetValues } from '../../../../src/notifications/presets/preset-values';
import {
  findHeaderProblem,
  findRequestProblem,
  findSecretProblem,
} from '../../../../src/notifications/requests/webhook-request';
import { Words } from '../../../../src/platform/words/words';

/** The fields of every notification, which no preset may ask for under the same name. */
const NOTIFICATION_FIELDS = [
  ...['id', 'type', 'text', 'destination', 'format', 'digest', 'enabled', 'preset', 'method', 'headers', 'secrets'],
  ...['content_type', 'body', 'body_resolved', 'destination_resolved', 'ca_certificate'],
];

function examplesOf({ fields }: Preset): Record<string, string> {
  return Object.fromEntries(fields.map(({ name, example }) => [name, example]));
}

function filled(preset: Preset, given: Record<string, string | undefined> = examplesOf(preset)) {
  const read = readPresetValues(preset, given);
  if ('problem' in read) assert.fail(`${preset.name}: ${read.problem.field} ${read.problem.error}`);
  return preset.fill(read.values, Words.english);
}

function problemOf(name: string, given: Record<string, string>): string | undefined {
  const preset = PRESETS.find((one) => one.name === name) ?? assert.fail(name);
  const read = readPresetValues(preset, { ...examplesOf(preset), ...given });
  return 'problem' in read ? `${read.problem.field} ${read.problem.error}` : undefined;
}

describe('the table of presets', () => {
  it('has a row for each service of the contract', () => {
    const names = PRESETS.map(({ name }) => name).sort();
    assert.deepEqual(names, [
      ...['alertmanager', 'apprise', 'cloudevents', 'discord', 'googlechat', 'gotify', 'homeassistant'],
      ...['jira_service_management', 'matrix', 'mattermost', 'ntfy', 'pagerduty', 'pushover', 'rocketchat'],
      ...['slack', 'teams', 'telegram', 'twilio'],
    ]);
  });

  for (const preset of PRESETS) {
    it(`describes ${preset.name} for people`, () => {
      assert.ok(preset.documentation.startsWith('https://') && preset.title !== '');
      const names = preset.fields.map(({ name }) => name);
      assert.deepEqual([...new Set(names)], names);
      assert.deepEqual(
        names.filter((name) => NOTIFICATION_FIELDS.includes(name)),
        [],
      );
      for (const { title, help } of preset.fields) assert.ok(title !== '' && /\.$/.test(help), help);
    });

    it(`fills fields for ${preset.name} that a notification accepts`, () => {
      const { headers, secrets, method, ...request } = filled(preset);
      const none = {
        destinationResolved: null,
        bodyResolved: null,
        destinationAcknowledged: null,
        bodyAcknowledged: null,
      };
      assert.equal(findRequestProblem({ ...none, caCertificate: null, success: null, ...request }), undefined);
      assert.equal(findHeaderProblem(headers), undefined);
      assert.equal(findSecretProblem(secrets), undefined);
      assert.ok(['POST', 'PUT'].includes(method));
    });

    it(`shows no secret of ${preset.name}`, () => {
      const { headers, secrets, ...request } = filled(preset);
      const shown = JSON.stringify(request);
      for (const { name, secret, example, format } of preset.fields) {
        // Of a webhook URL only its end is secret; of the token of a Telegram bot what follows its id.
        const hidden = format === 'url' ? example.slice(-20) : example.split(':').at(-1);
        if (secret) assert.ok(!shown.includes(hidden ?? ''), name);
      }
    });

    it(`needs the required fields of ${preset.name} only`, () => {
      const given = Object.fromEntries(
        preset.fields.filter(({ required }) => required).map(({ name, example }) => [name, example]),
      );
      assert.ok(filled(preset, given).destination.startsWith('https://'));
      for (const name of Object.keys(given)) {
        const read = readPresetValues(preset, { ...given, [name]: ' ' });
        assert.ok('problem' in read && read.problem.field === name && /^must be given: /.test(read.problem.error));
      }
    });

    for (const value of ['{{7*7}}', 'a\nb', `https://example.org/${'x'.repeat(1_000)}`]) {
      it(`takes ${JSON.stringify(value.slice(0, 30))} for no field of ${preset.name}`, () => {
        for (const { name } of preset.fields) {
          const read = readPresetValues(preset, { ...examplesOf(preset), [name]: value });
          assert.ok('problem' in read && read.problem.field === name, name);
          assert.ok(!read.problem.error.includes(value), 'an error does not repeat a secret');
        }
      });
    }
  }
});

describe('the values of a preset', () => {
  for (const [name, given, problem] of [
    ['slack', { webhook_url: 'hooks.slack.com/services/T/B/x' }, 'webhook_url must be an http or https URL'],
    ['slack', { webhook_url: 'https://u:p@hooks.slack.com/services/T/B/x' }, 'webhook_url must not hold credentials'],
    [
      'slack',
      { webhook_url: 'https://hooks.slack.com/services/T/B/' },
      'webhook_url must be the whole URL, which ends in /services/<team>/<app>/<token>',
    ],
    ['slack', { topic: 'x' }, 'topic is not a field of the preset slack'],
    [
      'teams',
      { webhook_url: 'https://example.org/workflows/1?sv=1.0' },
      'webhook_url must be the whole URL, which holds sig=<signature>',
    ],
    ['ntfy', { server: 'https://ntfy.sh/?a=1' }, 'server must end with its path'],
    ['ntfy', { server: 'https://ntfy.sh/{x}' }, 'server must not hold blanks or braces'],
    ['ntfy', { topic: 'a/b' }, 'topic must be the name of a topic: 1 to 64 letters, digits, - and _'],
    ['telegram', { chat_id: 'me' }, 'chat_id must be the id of a chat, or @ and the name of a public one'],
    ['pagerduty', { routing_key: 'short' }, 'routing_key must be an integration key of 32 letters and digits'],
    ['matrix', { room_id: '#alias:example.org' }, 'room_id must be the internal id of a room, which begins with !'],
  ] as const) {
    it(`are refused: ${problem}`, () => assert.equal(problemOf(name, given), problem));
  }

  it('stand in the place of the default', () => {
    const preset = PRESETS.find(({ name }) => name === 'ntfy') ?? assert.fail('ntfy');
    assert.equal(filled(preset, { topic: 'x' }).destination, 'https://ntfy.sh/');
    const own = filled(preset, { topic: 'x', server: 'https://example.org/ntfy/' });
    assert.deepEqual([own.destination, own.headers], ['https://example.org/ntfy/', {}]);
  });

  it('are encoded as parts of a path, and cannot leave it', () => {
    const preset = PRESETS.find(({ name }) => name === 'matrix') ?? assert.fail('matrix');
    const room = filled(preset, { ...examplesOf(preset), room_id: '!a/../b?c#d:x.org' });
    const path = '/_matrix/client/v3/rooms/!a%2F..%2Fb%3Fc%23d%3Ax.org/send/m.room.message/{{webhook_id}}';
    assert.equal(room.destination, `https://matrix.example.org${path}`);
  });
});

describe('the presets with a choice', () => {
  const of = (name: string, given: Record<string, string>) => {
    const preset = PRESETS.find((one) => one.name === name) ?? assert.fail(name);
    return filled(preset, { ...examplesOf(preset), ...given });
  };

  it('twilio sends by a messaging service or from a number', () => {
    const service = `MG${'0'.repeat(32)}`;
    assert.deepEqual(Object.keys(Object(of('twilio', { sender: service }).body)), [
      'To',
      'MessagingServiceSid',
      'Body',
    ]);
    assert.deepEqual(Object.keys(Object(of('twilio', {}).body)), ['To', 'From', 'Body']);
  });

  it('telegram posts to a topic of a group, or to a public channel', () => {
    const { message_thread_id, chat_id } = Object(of('telegram', { thread_id: '42', chat_id: '@alerts' }).body);
    assert.deepEqual([message_thread_id, chat_id], [42, '@alerts']);
  });

  for (const name of ['ntfy', 'gotify']) {
    it(`${name} takes an address with quotes, which stay part of it`, () => {
      const { destination, body } = of(name, { server: 'https://example.org/a"b\\c' });
      assert.match(destination, /^https:\/\/example\.org\/a%22b\/c\//);
      const none = {
        destinationResolved: null,
        bodyResolved: null,
        destinationAcknowledged: null,
        bodyAcknowledged: null,
      };
      const contentType = 'application/json';
      assert.equal(
        findRequestProblem({ ...none, caCertificate: null, success: null, destination, contentType, body }),
        undefined,
      );
    });
  }

  it('alertmanager needs no user', () => {
    assert.deepEqual(of('alertmanager', { username: '', password: '' }).headers, {});
  });

  it('slack, teams and googlechat keep what is not secret in their URLs', () => {
    assert.match(of('slack', {}).destination, /\/services\/T0123456789\/B0123456789\/\{\{secrets\.token\}\}$/);
    const teams = of('teams', {});
    assert.match(teams.destination, /\?api-version=2016-06-01&sp=[^&]+&sv=1\.0&sig=\{\{secrets\.sig\}\}$/);
    assert.deepEqual(Object.keys(teams.secrets), ['sig']);
    assert.deepEqual(Object.keys(of('googlechat', {}).secrets), ['key', 'token']);
  });

  it('discord keeps the thread of its URL', () => {
    const webhook_url = 'https://discord.com/api/webhooks/1/secret?thread_id=2';
    assert.equal(
      of('discord', { webhook_url }).destination,
      'https://discord.com/api/webhooks/1/{{secrets.token}}?thread_id=2',
    );
  });
});
