import assert from 'node:assert/strict';
import { renderText } from '../../../src/language/notification-text';
import { codeIn, readPage, tablesIn } from '../../support/markdown';

const VALUES = {
  sensor_data_date: 1_795_629_600.5,
  current_time: 1_795_629_600.9,
  sensor_id: 42,
  sensor_name: 'greenhouse',
  trigger_name: 'too warm',
  sensor_data_value: '31.2',
  last_sensor_data_value: '{"temperature":29.5,"soil-moisture":40.25,"amperes":[6.5,7]}',
  times_triggered: 3,
};

describe('docs/webhooks.md', () => {
  const rows = tablesIn(readPage('docs/webhooks.md')).flatMap((table) => table.rows.filter((row) => 'rendered' in row));

  it('shows examples of texts', () => assert.ok(rows.length > 0));

  for (const row of rows) {
    it(`shows how ${row.text} is rendered`, () => {
      assert.equal(renderText(codeIn(row.text) ?? assert.fail(), VALUES), codeIn(row.rendered));
    });
  }
});
