import assert from 'node:assert/strict';
import type { DecoderName } from '../../../../../src/gateways/mqtt/decoder-names';
import { openDecoder } from '../../../../../src/gateways/protocols/mqtt';
import { UnreadableMessage } from '../../../../../src/gateways/protocols/unreadable';
import { assertWithin, leastMs } from '../../../../support/growth';

interface Read {
  name: string;
  title: string;
  value: unknown;
  dateMs?: number;
  dataType: string;
  units: object;
  tags: object;
}

function read(decoder: DecoderName, topic: string, payload: string | Buffer | object): Read[] {
  return pointsOf(openDecoder(decoder), topic, payload);
}

function pointsOf(decoder: ReturnType<typeof openDecoder>, topic: string, payload: string | Buffer | object): Read[] {
  const text = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload);
  return decoder.decode({ topic, payload: Buffer.from(text as string) }).points.map(({ series, value, dateMs }) => {
    const { name, title, dataType, units, tags } = series;
    const stored = dataType === 'json' ? JSON.parse(value) : value;
    return { name, title, value: stored, ...(dateMs !== undefined && { dateMs }), dataType, units, tags };
  });
}

const valuesOf = (points: Read[]) => points.map(({ value }) => value);

describe('the decoder plain', () => {
  it('reads numbers and texts', () => {
    const cases: [string, string, string][] = [
      ['21.50', '21.50', 'float'],
      [' -3e2\n', '-3e2', 'float'],
      ['12:30', '12:30', 'string'],
      ['true', 'true', 'string'],
      ['0x10', '0x10', 'string'],
    ];
    for (const [payload, value, dataType] of cases) {
      const [point] = read('plain', 'home/t', payload);
      assert.deepEqual(
        [point?.name, point?.title, point?.value, point?.dataType],
        ['home/t', 'home/t', value, dataType],
      );
    }
    assert.deepEqual(read('plain', 't', '  '), [], 'a retained message that was cleared');
    assert.throws(() => read('plain', 't', Buffer.of(0xff)), UnreadableMessage);
    assert.throws(() => read('plain', 't', 'x'.repeat(65_536)), UnreadableMessage);
    assert.throws(() => read('plain', 't'.repeat(2_001), '1'), UnreadableMessage);
  });
});

describe('the decoder json', () => {
  it('reads every JSON', () => {
    const cases: [unknown, unknown, string][] = [
      [21.5, '21.5', 'float'],
      [true, 'true', 'boolean'],
      ['warm', 'warm', 'string'],
      ['21.5', '21.5', 'float'],
      [{ value: 3 }, '3', 'float'],
      [{ value: false }, 'false', 'boolean'],
      [{ a: 1, b: { c: [2] } }, { a: 1, b: { c: [2] } }, 'json'],
      [[1, 2], [1, 2], 'json'],
    ];
    for (const [payload, value, dataType] of cases) {
      const [point] = read('json', 't', JSON.stringify(payload));
      assert.deepEqual([point?.value, point?.dataType], [value, dataType], JSON.stringify(payload));
    }
    for (const nothing of ['', 'null', '{}', '[]']) assert.deepEqual(read('json', 't', nothing), [], nothing);
    for (const bad of ['{"a":', 'warm', '['.repeat(40) + ']'.repeat(40)]) {
      assert.throws(() => read('json', 't', bad), UnreadableMessage, bad);
    }
  });

  it('takes the date out of an object, if it is one', () => {
    const dateMs = Date.UTC(2026, 10, 26, 12);
    for (const given of [dateMs / 1000, dateMs, '2026-11-26T13:00:00+01:00', String(dateMs / 1000)]) {
      for (const name of ['date', 'time', 'Timestamp', 'ts']) {
        const [point] = read('json', 't', { [name]: given, value: 1 });
        assert.deepEqual([point?.value, point?.dateMs], ['1', dateMs], `${name} ${given}`);
      }
    }
    for (const time of ['12:30', 12.5, '2026-11-26T13:00:00', 5.01, true, null]) {
      const [point] = read('json', 't', { time, v: 1 });
      assert.deepEqual([point?.value, point?.dateMs], [{ time, v: 1 }, undefined], 'no date, but a field');
    }
  });
});

describe('the decoder tasmota', () => {
  it('reads measured values with their units', () => {
    const [point, ...more] = read('tasmota', 'tele/outside/SENSOR', {
      Time: '2022-10-20T10:29:14',
      AM2301: { Temperature: 21.7, Humidity: 75.8, DewPoint: 17.2 },
      BMP280: { Pressure: 1009.3 },
      PressureUnit: 'hPa',
      TempUnit: 'C',
    });
    assert.equal(more.length, 0);
    assert.deepEqual(point, {
      name: 'tele/outside/SENSOR',
      title: 'outside',
      value: { AM2301: { Temperature: 21.7, Humidity: 75.8, DewPoint: 17.2 }, BMP280: { Pressure: 1009.3 } },
      dataType: 'json',
      units: {
        'AM2301.Temperature': '°C',
        'AM2301.Humidity': '%',
        'AM2301.DewPoint': '°C',
        'BMP280.Pressure': 'hPa',
      },
      tags: {},
    });
    const energy = { Total: [2.813, 0.254], Power: 56, Factor: 0.61, Voltage: 234, Current: 0.392 };
    const [plug] = read('tasmota', 'tele/plug/SENSOR', { Time: '2023-05-19T20:52:56', ENERGY: energy });
    assert.deepEqual(plug?.units, {
      ...{ 'ENERGY.Total': 'kWh', 'ENERGY.Power': 'W', 'ENERGY.Voltage': 'V', 'ENERGY.Current': 'A' },
    });
  });

  it('reads the time only with its offset', () => {
    const dateOf = (Time: string) => read('tasmota', 'tele/a/SENSOR', { Time, ANALOG: { A0: 1 } })[0]?.dateMs;
    assert.equal(dateOf('2026-11-26T13:00:00'), undefined);
    assert.equal(dateOf('2026-11-26T13:00:00+01:00'), Date.UTC(2026, 10, 26, 12));
    assert.equal(dateOf('1970-01-01T00:00:05+00:00'), undefined, 'a clock that was never set');
  });

  it('reads states and answers, by any order of topics, and nothing else', () => {
    const state = { Time: '2018-02-15T01:00:50', POWER: 'OFF', Wifi: { RSSI: 72 } };
    assert.deepEqual(valuesOf(read('tasmota', 'tele/desk/STATE', state)), [{ POWER: 'OFF', Wifi: { RSSI: 72 } }]);
    assert.equal(read('tasmota', 'tele/desk/STATE', state)[0]?.title, 'desk state');
    const answer = read('tasmota', 'stat/desk/STATUS10', { StatusSNS: { Time: '', DS18B20: { Temperature: 4.8 } } });
    assert.deepEqual(answer[0]?.name, 'tele/desk/SENSOR');
    assert.deepEqual(read('tasmota', 'house/desk/tele/SENSOR', { A: 1 })[0]?.title, 'house desk');
    for (const other of ['tele/desk/LWT', 'stat/desk/RESULT', 'cmnd/desk/POWER']) {
      assert.deepEqual(read('tasmota', other, 'Online'), []);
    }
    assert.throws(() => read('tasmota', 'tele/desk/SENSOR', '[1]'), UnreadableMessage);
    assert.throws(() => read('tasmota', 'tele/desk/SENSOR', 'Online'), UnreadableMessage);
  });
});

describe('the decoder zigbee2mqtt', () => {
  const DEVICES = [
    { type: 'Coordinator', friendly_name: 'Coordinator' },
    { type: 'EndDevice', friendly_name: 'new one', definition: null },
    {
      type: 'EndDevice',
      friendly_name: 'bath/climate',
      definition: {
        model: 'WSDCGQ01LM',
        vendor: 'Xiaomi',
        exposes: [
          { type: 'numeric', name: 'temperature', property: 'temperature', unit: '°C', access: 1 },
          { type: 'light', features: [{ type: 'numeric', property: 'color_temp', unit: 'mired' }] },
          { type: 'composite', property: 'color', features: [{ type: 'numeric', property: 'hue', unit: '°' }] },
        ],
      },
    },
  ];

  it('reads states, with what the list of devices says', () => {
    const decoder = openDecoder('zigbee2mqtt');
    const state = { temperature: 24.59, humidity: null, linkquality: 39, update: { state: 'idle' } };
    assert.deepEqual(pointsOf(decoder, 'zigbee2mqtt/bath/climate', state)[0]?.units, {});
    const list = { topic: 'zigbee2mqtt/bridge/devices', payload: Buffer.from(JSON.stringify(DEVICES)) };
    const { described = [] } = decoder.decode(list);
    assert.deepEqual(
      described.map(({ topic }) => topic),
      ['zigbee2mqtt/bath/climate'],
    );
    assert.deepEqual(decoder.decode(list), { points: [] }, 'nothing new');
    const expected = {
      name: 'zigbee2mqtt/bath/climate',
      title: 'bath/climate',
      value: { temperature: 24.59, linkquality: 39 },
      dataType: 'json',
      units: { temperature: '°C', color_temp: 'mired', 'color.hue': '°' },
      tags: { model: 'WSDCGQ01LM', vendor: 'Xiaomi' },
    };
    assert.deepEqual(pointsOf(decoder, 'zigbee2mqtt/bath/climate', state), [expected]);
    const other = openDecoder('zigbee2mqtt');
    other.restore(described);
    assert.deepEqual(pointsOf(other, 'zigbee2mqtt/bath/climate', state), [expected]);
  });

  it('dates by last_seen with milliseconds', () => {
    const dateOf = (last_seen: unknown) => read('zigbee2mqtt', 'zigbee2mqtt/a', { t: 1, last_seen })[0];
    const ms = Date.UTC(2026, 10, 26, 12, 0, 0, 250);
    assert.equal(dateOf(ms)?.dateMs, ms);
    assert.equal(dateOf('2026-11-26T12:00:00.250Z')?.dateMs, ms);
    assert.equal(dateOf('2026-11-26T13:00:00+01:00')?.dateMs, undefined);
    assert.deepEqual(dateOf('2026-11-26T13:00:00+01:00')?.value, { t: 1 });
  });

  it('leaves out what is no state', () => {
    for (const other of ['a/availability', 'a/set', 'a/set/state', 'a/get', 'bridge/state', 'bridge/logging']) {
      assert.deepEqual(read('zigbee2mqtt', `zigbee2mqtt/${other}`, '{"state":"online"}'), [], other);
    }
    assert.deepEqual(valuesOf(read('zigbee2mqtt', 'zigbee2mqtt/a/temperature', '21.5')), ['21.5'], 'output: attribute');
    const { describing } = { describing: (filters: string[]) => openDecoder('zigbee2mqtt').describing(filters) };
    assert.deepEqual(describing(['#']), ['zigbee2mqtt/bridge/devices']);
    assert.deepEqual(describing(['home/z2m/#']), ['home/bridge/devices', 'home/z2m/bridge/devices']);
  });
});

describe('long paths of fields', () => {
  it('have no units, and cost no more than the message', () => {
    const inner = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`f${index}`, { Power: 1 }]));
    const message = (length: number) => ({ ['x'.repeat(length)]: inner });
    for (const [decoder, topic] of [
      ['shelly', 'a/status/switch:0'],
      ['tasmota', 'tele/a/SENSOR'],
    ] as const) {
      const refused = (length: number) =>
        assert.throws(() => read(decoder, topic, message(length)), /larger than 65535 bytes/);
      const most =
        9 *
        Math.max(
          leastMs(() => refused(70_000)),
          10,
        );
      assertWithin(most, () => refused(200_000), decoder);
    }
    const [point] = read('tasmota', 'tele/a/SENSOR', { ['x'.repeat(200)]: { Power: 1 }, ENERGY: { Power: 1 } });
    assert.deepEqual(point?.units, { 'ENERGY.Power': 'W' });
  });

  it('are in messages of at most 32 levels and 100,000 values', () => {
    assert.throws(() => read('json', 'a', `[${'1,'.repeat(100_001)}1]`), /more than 100000 values/);
    assert.deepEqual(valuesOf(read('json', 'a', { 'a[[{,"': `\\"${',['.repeat(50)}` })).length, 1, 'inside of texts');
  });
});

describe('the decoder shelly', () => {
  it('reads the first generation', () => {
    const [t] = read('shelly', 'shellies/shellyht-208500/sensor/temperature', '22.5');
    assert.deepEqual([t?.title, t?.value, t?.units], ['shellyht-208500 sensor temperature', '22.5', {}]);
    assert.deepEqual(read('shelly', 'shellies/shellyht-208500/sensor/humidity', '55')[0]?.units, { value: '%' });
    assert.deepEqual(read('shelly', 'shellies/shelly1-1/ext_temperature/0', '4.2')[0]?.units, { value: '°C' });
    assert.deepEqual(valuesOf(read('shelly', 'shellies/shelly1-1/relay/0', 'on')), ['on']);
    assert.deepEqual(read('shelly', 'shellies/shelly1-1/relay/0/power', '12.3')[0]?.units, { value: 'W' });
    for (const other of ['announce', 'shelly1-1/info', 'shelly1-1/online', 'shelly1-1/relay/0/command']) {
      assert.deepEqual(read('shelly', `shellies/${other}`, '{}'), [], other);
    }
  });

  it('reads notifications and states of later generations as the same series', () => {
    const status = { id: 0, output: true, apower: 8.9, temperature: { tC: 53.2, tF: 127.7 }, aenergy: { total: 11.7 } };
    const frame = {
      src: 'shellypro4pm-f008d1d8b8b8',
      dst: 'user_1',
      method: 'NotifyStatus',
      params: { ts: 1631186545.04, 'switch:0': status, cloud: { connected: true }, 'input:0': null },
    };
    const { id: _, ...fields } = status;
    const expected = {
      name: 'shellypro4pm-f008d1d8b8b8/status/switch:0',
      title: 'shellypro4pm-f008d1d8b8b8 switch:0',
      value: fields,
      dateMs: 1_631_186_545_040,
      dataType: 'json',
      units: { apower: 'W', 'temperature.tC': '°C', 'temperature.tF': '°F', 'aenergy.total': 'Wh' },
      tags: {},
    };
    assert.deepEqual(read('shelly', 'shellypro4pm-f008d1d8b8b8/events/rpc', frame), [expected]);
    const { dateMs: __, ...undated } = expected;
    assert.deepEqual(read('shelly', 'shellypro4pm-f008d1d8b8b8/status/switch:0', status), [undated]);
    const full = { ...frame, method: 'NotifyFullStatus', params: { ts: 5.01, 'humidity:0': { id: 0, rh: 58.9 } } };
    const [humidity] = read('shelly', 'a/events/rpc', full);
    assert.deepEqual([humidity?.value, humidity?.dateMs], [{ rh: 58.9 }, undefined], 'a clock that was never set');
    assert.deepEqual(read('shelly', 'a/events/rpc', { ...frame, method: 'NotifyEvent' }), []);
    for (const other of ['a/status/sys', 'a/status/wifi', 'a/online', 'a/rpc']) {
      assert.deepEqual(read('shelly', other, '{"id":1,"x":2}'), [], other);
    }
    assert.throws(() => read('shelly', 'a/status/switch:0', 'on'), UnreadableMessage);
  });
});
