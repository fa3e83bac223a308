import assert from 'node:assert/strict';
import { readEcowitt } from '../../../../src/gateways/protocols/ecowitt';
import { UnreadableMessage } from '../../../../src/gateways/protocols/unreadable';
import stations from '../../../fixtures/protocols/weather-stations.json';
import { fieldsOf, readForm } from '../../../support/station-forms';

const SI = { units: 'si' } as const;
const RAW = { units: 'raw' } as const;

type Form = Record<string, string>;

describe('readEcowitt', () => {
  it('reads a GW2000A', () => {
    const [point] = readEcowitt(stations.GW2000A, SI);
    assert.ok(point);
    assert.equal(point.dateMs, Date.parse('2022-05-18T18:17:37Z'));
    assert.deepEqual(JSON.parse(point.value), {
      runtime: 3179,
      tempin: 21.78,
      humidityin: 49,
      baromrel: 964.31,
      baromabs: 964.31,
      temp: 23.61,
      humidity: 47,
      winddir: 100,
      windspeed: 0.6,
      windgust: 1,
      maxdailygust: 1,
      solarradiation: 0,
      uv: 0,
      rrain_piezo: 0,
      erain_piezo: 0,
      hrain_piezo: 0,
      drain_piezo: 0,
      wrain_piezo: 0,
      mrain_piezo: 0,
      yrain_piezo: 0,
      ws90cap_volt: 0.6,
      ws90_ver: 119,
      lightning_num: 1,
      lightning: 27,
      wh57batt: 5,
      wh90batt: 3.16,
      leak_ch1: 0,
      leakbatt1: 5,
      leafwetness_ch1: 14,
      leaf_batt1: 1.78,
    });
    assert.deepEqual(point.series, {
      namespace: 'weather',
      name: '00112233445566778899AABBCCDDEEFF',
      title: 'GW2000A',
      source: 'ecowitt',
      dataType: 'json',
      tags: { stationtype: 'GW2000A_V2.1.4', freq: '868M', model: 'GW2000A' },
      units: {
        runtime: 's',
        tempin: '°C',
        humidityin: '%',
        baromrel: 'hPa',
        baromabs: 'hPa',
        temp: '°C',
        humidity: '%',
        winddir: '°',
        windspeed: 'm/s',
        windgust: 'm/s',
        maxdailygust: 'm/s',
        solarradiation: 'W/m²',
        rrain_piezo: 'mm/h',
        erain_piezo: 'mm',
        hrain_piezo: 'mm',
        drain_piezo: 'mm',
        wrain_piezo: 'mm',
        mrain_piezo: 'mm',
        yrain_piezo: 'mm',
        ws90cap_volt: 'V',
        lightning: 'km',
        leafwetness_ch1: '%',
      },
    });
  });

  it('reads the rain and the extra sensors of a GW1100B', () => {
    const fields = fieldsOf(readEcowitt(stations.GW1100B, SI));
    assert.equal(fields.weeklyrain, 0.1);
    assert.equal(fields.monthlyrain, 35.61);
    assert.equal(fields.totalrain, 1232);
    assert.equal(fields.rainrate, 0);
    assert.equal(fields.temp1, 25.39);
    assert.equal(fields.soilmoisture2, 56);
    assert.equal(fields.soilbatt1, 1.5);
    assert.equal(fields.temp, 33);
  });

  it('reads the form of a recent firmware', () => {
    const body =
      'PASSKEY=A6DAEBF74134D04C655F5CEC00000000&stationtype=GW2000A_V3.3.1&runtime=65881&heap=70388' +
      '&dateutc=2026-05-01+14:58:04&tempinf=71.42&baromrelin=30.301&tempf=69.80&humidity=60&vpd=0.294' +
      '&winddir_avg10m=201&windspdmph_avg10m=6.71&last24hrain_piezo=0.004&rrain_piezo=0.100&srain_piezo=0' +
      '&tf_ch1=50.00&tf_co2=68.0&bgt=95.00&wbgt=82.40&pm25_avg_24h_ch1=2.4&co2_24h=600&co2_batt=6' +
      '&model=GW2000A&interval=30';
    const [point] = readEcowitt(readForm(body), SI);
    assert.equal(point?.dateMs, Date.parse('2026-05-01T14:58:04Z'));
    assert.deepEqual(JSON.parse(point?.value ?? ''), {
      runtime: 65881,
      heap: 70388,
      tempin: 21.9,
      baromrel: 1026.11,
      temp: 21,
      humidity: 60,
      vpd: 0.996, // at 21 °C and 60 %, water vapour is 0.995 kPa short of saturation
      winddir_avg10m: 201,
      windspd_avg10m: 3,
      last24hrain_piezo: 0.1,
      rrain_piezo: 2.54,
      srain_piezo: 0,
      temp_ch1: 10,
      temp_co2: 20,
      bgt: 35,
      wbgt: 28,
      pm25_avg_24h_ch1: 2.4,
      co2_24h: 600,
      co2_batt: 6,
      interval: 30,
    });
    const { vpd, temp_ch1, pm25_avg_24h_ch1, co2_24h, rrain_piezo } = point?.series.units ?? {};
    assert.deepEqual([vpd, temp_ch1, pm25_avg_24h_ch1, co2_24h, rrain_piezo], ['kPa', '°C', 'µg/m³', 'ppm', 'mm/h']);
  });

  it('keeps names, values and units on request', () => {
    const [point] = readEcowitt(stations.GW1100B, RAW);
    const fields = JSON.parse(point?.value ?? '');
    assert.equal(fields.tempf, 91.4);
    assert.equal(fields.baromrelin, 29.244);
    assert.equal(fields.rainratein, 0);
    const { tempf, baromrelin, weeklyrainin, rainratein, humidity } = point?.series.units ?? {};
    assert.deepEqual([tempf, baromrelin, weeklyrainin, rainratein, humidity], ['°F', 'inHg', 'in', 'in/h', '%']);
  });

  it('names the station by its type if it has no model', () => {
    assert.equal(readEcowitt(stations.AMBWeather, SI)[0]?.series.title, 'AMBWeatherV4.3.4');
    assert.equal(readEcowitt({ PASSKEY: 'x', tempf: '50' }, SI)[0]?.series.title, 'weather station');
  });

  it('never stores a secret', () => {
    const form = { ...stations.GW2000A, password: 'p', Api_Key: 'k', passkey: 'q' };
    const [point] = readEcowitt(form, SI);
    for (const secret of ['password', 'Api_Key', 'passkey', 'PASSKEY']) {
      assert.ok(!Object.hasOwn(JSON.parse(point?.value ?? ''), secret), secret);
    }
    assert.ok(!JSON.stringify(point?.series.tags).includes(stations.GW2000A.PASSKEY));
  });

  it('leaves out missing values', () => {
    const form = {
      PASSKEY: 'x',
      tempf: '-9999',
      humidity: '',
      temp1f: '--',
      uv: ' ',
      newfield: '-9999.0',
      temp2f: '32',
    };
    assert.deepEqual(fieldsOf(readEcowitt(form, SI)), { temp2: 0 });
    assert.deepEqual(readEcowitt({ PASSKEY: 'x', tempf: '-9999' }, SI), []);
  });

  it('keeps unknown fields, texts and long identifiers as they are', () => {
    const form = { PASSKEY: 'x', newfield: '007', note: 'dry', iccid: '8944500102198765432', tempf: '50' };
    assert.deepEqual(fieldsOf(readEcowitt(form, SI)), {
      newfield: 7,
      note: 'dry',
      iccid: '8944500102198765432',
      temp: 10,
    });
  });

  it('does not replace one parameter by another', () => {
    const form = { PASSKEY: 'x', temp: '12', tempf: '50' };
    assert.deepEqual(fieldsOf(readEcowitt(form, SI)), { temp: 12, tempf: 10 });
  });

  for (const dateutc of ['now', '', undefined]) {
    it(`leaves the date to the server for dateutc ${dateutc}`, () => {
      const form = { PASSKEY: 'x', tempf: '50', ...(dateutc === undefined ? {} : { dateutc }) };
      assert.equal(readEcowitt(form, SI)[0]?.dateMs, undefined);
    });
  }

  const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`f${at}`, '1']));
  const unreadable: [string, Form, string][] = [
    ['no PASSKEY', { tempf: '50' }, 'PASSKEY is missing'],
    ['an inherited PASSKEY', Object.create({ PASSKEY: 'x' }), 'PASSKEY is missing'],
    [
      'a wrong date',
      { PASSKEY: 'x', tempf: '50', dateutc: '2022-13-18 18:17:37' },
      'dateutc must be now, unix seconds, or a date and time in UTC: 2026-11-26 10:32:35',
    ],
    ['too many parameters', { PASSKEY: 'x', ...many }, 'more than 1000 parameters'],
    ['a large value', { PASSKEY: 'x', note: 'x'.repeat(70_000) }, 'the value is longer than 65535 bytes'],
  ];
  for (const [title, form, reason] of unreadable) {
    it(`refuses ${title}`, () => {
      assert.throws(
        () => readEcowitt(form, SI),
        (error) => {
          assert.ok(error instanceof UnreadableMessage);
          assert.equal(error.message, reason);
          return true;
        },
      );
    });
  }
});
