import assert from 'node:assert/strict';
import { seriesOf, unitOfMetric } from '../../../../src/gateways/protocols/prometheus-series';

const seriesWith = (labels: Record<string, string>) => {
  const found = seriesOf(Object.entries(labels).map(([name, value]) => ({ name, value })));
  assert.ok('series' in found);
  return found.series;
};

describe('a series of Prometheus', () => {
  it('is named as Prometheus prints it, whatever the order of its labels', () => {
    const named: [Record<string, string>, string][] = [
      [{ __name__: 'up' }, 'up'],
      [{ job: 'node', __name__: 'up', instance: 'a:9100' }, 'up{instance="a:9100",job="node"}'],
      [{ __name__: 'job:rate:sum', a: '\\ " \n' }, 'job:rate:sum{a="\\\\ \\" \\n"}'],
      [{ a: 'b' }, '{a="b"}'],
      [{ __name__: 'room.temperature', 'my label': 'x' }, '{"room.temperature","my label"="x"}'],
      [{ __name__: 'up', B: '1', a: '2', _: '3' }, 'up{B="1",_="3",a="2"}'],
    ];
    for (const [labels, name] of named) assert.equal(seriesWith(labels).name, name);
  });

  it('has its labels as tags, whatever their names are', () => {
    const { tags } = seriesWith({ __name__: 'up', ['__proto__']: 'x', constructor: 'y' });
    assert.deepEqual(Object.entries(tags), [
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
  });

  it('has a title of at most 255 characters that splits no character', () => {
    const { name, title } = seriesWith({ __name__: 'up', a: `${'x'.repeat(247)}😀😀` });
    assert.equal(name.length, 259);
    assert.equal(title, `up{a="${'x'.repeat(247)}…`);
    assert.equal(seriesWith({ __name__: 'up', a: 'x'.repeat(247) }).title.length, 255);
  });

  it('has the unit that its metric ends with', () => {
    const units: [string, string | undefined][] = [
      ['process_cpu_seconds_total', 's'],
      ['http_request_duration_seconds_sum', 's'],
      ['http_request_duration_seconds_count', undefined],
      ['http_request_duration_seconds_bucket', undefined],
      ['node_memory_MemFree_bytes', 'B'],
      ['node_thermal_zone_celsius', '°C'],
      ['battery_charge_ratio', undefined],
      ['room_humidity_percent', '%'],
      ['supply_volts', 'V'],
      ['supply_amperes', 'A'],
      ['meter_energy_joules_total', 'J'],
      ['scale_weight_grams', 'g'],
      ['tank_level_meters', 'm'],
      ['air_pressure_pascals', 'Pa'],
      ['network_bytes_per_seconds', undefined],
      ['seconds', undefined],
      ['http_requests_total', undefined],
      ['up', undefined],
      ['', undefined],
    ];
    for (const [metric, unit] of units) assert.equal(unitOfMetric(metric), unit, metric);
  });
});
