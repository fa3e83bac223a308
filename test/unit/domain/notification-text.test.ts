// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of users have that, too
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { renderText, roomOfEach } from '../../../src/domain/notification-text';
import { Stopwatch } from '../../support/stopwatch';

describe('renderText', () => {
  const values = {
    sensor_data_value: '21.5',
    times_triggered: 3,
    sensor_name: 'hall {times_triggered}',
    gone: null,
    on: true,
  };

  const cases: [string, string][] = [
    ['value sensor_data_value!', 'value 21.5!'],
    ['$sensor_data_value ${sensor_data_value} {sensor_data_value} {{sensor_data_value}}', '21.5 21.5 21.5 21.5'],
    [
      'last_sensor_data_value sensor_data_values xsensor_data_value',
      'last_sensor_data_value sensor_data_values xsensor_data_value',
    ],
    ['ésensor_data_value', 'ésensor_data_value'],
    ['[gone] [${gone}]', '[] []'],
    ['on and on', 'true and true'],
    ['sensor_name', 'hall {times_triggered}'],
    ['{unknown} ${unknown} $unknown {{unknown}} costs $5', '{unknown} ${unknown} $unknown {{unknown}} costs $5'],
    ['{{times_triggered} $$times_triggered {times_triggered', '{3 $3 {3'],
    ['constructor __proto__ toString', 'constructor __proto__ toString'],
    ['', ''],
  ];
  for (const [text, expected] of cases) {
    it(`makes "${expected}" of "${text}"`, () => assert.equal(renderText(text, values), expected));
  }

  it('leaves text without known names unchanged', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => assert.equal(renderText(text, {}), text)));
  });

  it('inserts values that look like patterns literally', () => {
    assert.equal(renderText('a $x b', { x: '$& $1 $$' }), 'a $& $1 $$ b');
  });

  it('takes time proportional to the text', () => {
    for (const part of ['{', '${', '{{a', '${sensor', 'a', '$']) {
      const watch = new Stopwatch();
      renderText(part.repeat(200_000), values);
      assert.ok(watch.stop() < 2_000, part);
    }
  });

  it('truncates inserted values to 65,536 characters without splitting a character', () => {
    const text = renderText('sensor_data_value sensor_data_value end', { sensor_data_value: '😀'.repeat(20_000) });
    assert.equal(text.length, 65_536 + ' '.length + ' end'.length);
    assert.ok(text.endsWith('😀 end'));
    assert.equal(renderText('a', { a: `x${'😀'.repeat(40_000)}` }).length, 65_535);
  });

  it('truncates them to less when a user gets many texts together, but never below 1,000 characters', () => {
    assert.deepEqual([1, 64, 128, 6_000].map(roomOfEach), [65_536, 65_536, 32_768, 1_000]);
    assert.equal(renderText('$a', { a: 'x'.repeat(2_000) }, roomOfEach(6_000)).length, 1_000);
  });
});
