import assert from 'node:assert/strict';
import { fullName, withDifferences } from '../../../console/src/pages/sensors/differences';
import { restOf } from '../../../console/src/search/find';
import { readQuery } from '../../../console/src/search/query';

describe('sensors with equal names in the console', () => {
  const sensors = [
    { id: '1', name: 'temperature' },
    { id: '2', name: 'temperature', display_name: '' },
    { id: '3', name: 'x', display_name: 'Temperature' },
    { id: '4', name: 'humidity' },
  ];
  const series = [
    { sensor_id: '1', name: 'temperature,device=tasmota_A' },
    { sensor_id: '2', name: 'temperature,device=tasmota_B' },
    { sensor_id: '4', name: 'humidity,device=tasmota_A' },
  ];
  const known = withDifferences(sensors, series);

  it('show the names of their series, or their ids', () => {
    assert.deepEqual(known.map(fullName), [
      'temperature (temperature,device=tasmota_A)',
      'temperature (temperature,device=tasmota_B)',
      'Temperature (id 3)',
      'humidity',
    ]);
  });

  it('are found by words in the names of their series', () => {
    const found = (text: string) => known.filter(restOf(readQuery(text))).map(({ id }) => id);
    assert.deepEqual(found('tasmota_a'), ['1', '4']);
    assert.deepEqual(found('temperature -tasmota_A'), ['2', '3']);
  });
});
