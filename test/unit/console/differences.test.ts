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

  it('show the tags that tell their series apart, or their ids', () => {
    assert.deepEqual(known.map(fullName), [
      'temperature (tasmota_A)',
      'temperature (tasmota_B)',
      'Temperature (id 3)',
      'humidity',
    ]);
  });

  const apart = (...names: (string | undefined)[]) =>
    withDifferences(
      names.map((_, at) => ({ id: String(at), name: 'x' })),
      names.flatMap((name, at) => (name === undefined ? [] : [{ sensor_id: String(at), name }])),
    ).map((sensor) => sensor.apart);

  it('leave out the tags that all of them have, and name tags if there are several', () => {
    assert.deepEqual(apart('x,cpu=0,host=nas', 'x,cpu=1,host=nas'), ['0', '1']);
    assert.deepEqual(apart('x,cpu=0,host=nas', 'x,cpu=1,host=pi', 'x,cpu=0,host=pi'), [
      'cpu=0, host=nas',
      'cpu=1, host=pi',
      'cpu=0, host=pi',
    ]);
    assert.deepEqual(apart('x,room=a\\,\\ b\\=c', 'x,room=d'), ['a, b=c', 'd']);
    assert.deepEqual(apart('x{host="nas",job="a,b"}', 'x{host="pi",job="a,b"}'), ['nas', 'pi']);
  });

  it('are never shown alike', () => {
    assert.deepEqual(apart('x', 'x,host=nas', undefined), ['x', 'nas', 'id 2']);
    assert.deepEqual(apart('tele/a/SENSOR', 'tele/b/SENSOR'), ['tele/a/SENSOR', 'tele/b/SENSOR']);
    assert.deepEqual(apart('x,a=1', 'y,a=1', 'x,a=2'), ['1, id 0', '1, id 1', '2']);
  });

  it('are found by words in the names of their series', () => {
    const found = (text: string) => known.filter(restOf(readQuery(text))).map(({ id }) => id);
    assert.deepEqual(found('tasmota_a'), ['1', '4']);
    assert.deepEqual(found('temperature -tasmota_A'), ['2', '3']);
  });
});
