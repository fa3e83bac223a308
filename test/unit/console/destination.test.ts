import assert from 'node:assert/strict';
import { nameOf, placeOf, titleOf } from '../../../console/src/destination';
import { PRESETS } from '../../../src/notifications/presets';
import { readPresetValues } from '../../../src/notifications/presets/preset-values';
import { Words } from '../../../src/platform/words/words';

/** What a record of a preset's notification shows, and its name in the console. */
const NAMES: [string, Record<string, string>, string][] = [
  ['ntfy', { topic: 'cellar' }, 'ntfy · ntfy.sh · cellar'],
  ['telegram', { token: '1:a', chat_id: '-100' }, 'Telegram · api.telegram.org · -100'],
  [
    'discord',
    { webhook_url: 'https://discord.com/api/webhooks/1310203040506070809/aBcD' },
    'Discord · discord.com · 1310203040506070809',
  ],
  [
    'matrix',
    { server: 'https://matrix.example.org', room_id: '!room:example.org', token: 'a' },
    'Matrix · matrix.example.org · !room:example.org',
  ],
  ['gotify', { server: 'https://gotify.example.org', token: 'a' }, 'Gotify · gotify.example.org'],
];

describe('the name of a notification in the console', () => {
  for (const [preset, values, name] of NAMES) {
    it(`is ${name} without one of its owner`, () => {
      const found = PRESETS.find((one) => one.name === preset) ?? assert.fail(preset);
      const read = readPresetValues(found, values);
      assert.ok('values' in read, JSON.stringify(read));
      const { destination, body } = found.fill(read.values, Words.english);
      const one = { type: 'url', preset, destination, body } as const;
      assert.equal(nameOf(one), name);
      assert.equal(nameOf({ ...one, name: 'The team' }), 'The team');
    });
  }

  it('is the address of others, and shows no place of a secret', () => {
    assert.equal(nameOf({ type: 'email', destination: 'a@example.org' }), 'a@example.org');
    const destination = 'https://example.org/{{ secrets.token }}/x?key={{secrets.key}}&at={{date}}';
    assert.equal(placeOf({ type: 'url', destination }), 'https://example.org/…/x?key=…&at={{date}}');
    assert.equal(
      nameOf({ type: 'push', destination: 'https://push.example.net/send/1' }),
      'a browser, by push.example.net',
    );
  });

  it('has the title of each preset', () => {
    for (const { name, title } of PRESETS) assert.equal(titleOf(name), title);
  });
});
