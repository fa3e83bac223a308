import assert from 'node:assert/strict';
import { Rendering, Template } from '../../../src/language/templates/template';
import { TEMPLATE_ARGUMENTS } from '../../../src/language/templates/template-functions';
import { compileBody, JSON_TYPE } from '../../../src/notifications/requests/webhook-body';
import { findRequestProblem } from '../../../src/notifications/requests/webhook-request';
import { finish } from '../../../src/platform/steps';
import { codeBlocksIn, codeIn, readPage, tablesIn } from '../../support/markdown';

const PAGE = readPage('docs/templates.md');
const ROWS = tablesIn(PAGE).flatMap(({ rows }) => rows);
const SHOWN = {
  ...{ sensor_name: 'hall', unit: '°C', title: 'Critical: too warm on hall', text: '31.3 °C in the hall', event: '' },
  ...{ state: 'firing', severity: 'critical', duration: 120, date: 1_795_229_544.125, webhook_id: 'msg_1' },
};
const VALUE = { degrees: 31.25 };

const rendering = () =>
  new Rendering(
    { ...SHOWN, sensor_data_value: JSON.stringify(VALUE) },
    { ...SHOWN, sensor_data_value: VALUE, reader_timezone: 'Europe/Berlin', secrets: { token: '2f0c7d' } },
  );
const rowsWith = (...columns: string[]) => {
  const rows = ROWS.filter((row) => columns.every((column) => column in row));
  assert.ok(rows.length > 0, `no table with ${columns.join(', ')}`);
  return rows;
};
const code = (row: Record<string, string>, column: string) => codeIn(row[column]) ?? '';

describe('docs/templates.md', () => {
  for (const row of rowsWith('template', 'result')) {
    it(`shows the result of ${row.template}`, () => {
      const compiled = Template.compile(code(row, 'template'));
      assert.ok('template' in compiled, JSON.stringify(compiled));
      const run = rendering();
      assert.equal(finish(compiled.template.render(run)), code(row, 'result'));
      assert.deepEqual([...run.problems], []);
    });
  }

  for (const row of rowsWith('template', 'refused because')) {
    it(`shows why ${row.template} is refused`, () => {
      const compiled = Template.compile(code(row, 'template'));
      assert.ok('problem' in compiled);
      const { error, position } = compiled.problem;
      assert.equal(`${error} at position ${position}`, code(row, 'refused because'));
    });
  }

  for (const row of rowsWith('template', 'noted because')) {
    it(`shows why ${row.template} is noted`, () => {
      const compiled = Template.compile(code(row, 'template'));
      assert.ok('template' in compiled);
      const run = rendering();
      assert.equal(finish(compiled.template.render(run)), '');
      assert.deepEqual([...run.problems], [`${code(row, 'template')}: ${code(row, 'noted because')}`]);
    });
  }

  it('names every function', () => {
    const named = rowsWith('function').map((row) => code(row, 'function').split('(')[0]);
    assert.deepEqual(named.sort(), [...TEMPLATE_ARGUMENTS.keys()].sort());
  });

  it('shows a request that is accepted', () => {
    const { notification } = JSON.parse(codeBlocksIn(PAGE)[0]?.text ?? '');
    const { destination, body, body_resolved: bodyResolved } = notification;
    const none = { destinationResolved: null, destinationAcknowledged: null, bodyAcknowledged: null };
    const input = { ...none, destination, contentType: null, body, bodyResolved, caCertificate: null, success: null };
    assert.equal(findRequestProblem(input), undefined);
    const compiled = compileBody(JSON_TYPE, body);
    assert.ok('body' in compiled);
    assert.equal(finish(compiled.body.render(rendering())), '{"message":"Critical: too warm on hall","priority":8}');
  });
});
