import assert from 'node:assert/strict';
import { foregroundAppFilter } from '../../../../src/points/sensor-services/foreground-app-filter';

const INPUTS = [
  { sensorId: 1, sensorName: 'app', dataType: 'string', fields: ['value'] },
  { sensorId: 2, sensorName: 'phone', dataType: 'json', fields: ['task'] },
];

describe('foreground_app_filter', () => {
  it('forwards the values of its list unchanged and with their dates', () => {
    const points = [
      { sensorId: 1, value: 'Mail', dateMs: 1 },
      { sensorId: 1, value: 'Camera', dateMs: 2 },
      { sensorId: 2, value: '{"task":"mail","label":"Camera"}', dateMs: 3 },
    ];
    const state = { inputs: INPUTS, settings: { filter: ['mail'] }, memory: null, model: null };
    assert.deepEqual(foregroundAppFilter.compute(state, points, 0).outputs, [
      { value: 'Mail', dateMs: 1 },
      { value: 'mail', dateMs: 3 },
    ]);
  });

  it('supports only strings', () => {
    assert.deepEqual(foregroundAppFilter.usableFields({ dataType: 'string', dataStructure: '' }), ['value']);
    assert.deepEqual(foregroundAppFilter.usableFields({ dataType: 'float', dataStructure: '' }), []);
    const dataStructure = '{"task":"string","pid":"integer"}';
    assert.deepEqual(foregroundAppFilter.usableFields({ dataType: 'json', dataStructure }), ['task']);
  });
});
