import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readEcowitt } from '../../../src/protocols/ecowitt';
import { UnreadableMessage } from '../../../src/protocols/unreadable';
import { readWeatherUnderground } from '../../../src/protocols/weather-underground';
import { readWeatherField } from '../../../src/protocols/weather-units';
import stations from '../../fixtures/protocols/weather-stations.json';

const SI = { units: 'si' } as const;
const RAW = { units: 'raw' } as const;

type Form = Record<string, string>;

/** Reads a form as a server does. */
function parsed(body: string): Form {
  return Object.fromEntries(new URLSearchParams(body));
}

function fieldsOf(points: ReturnType<typeof readEcowitt>): Record<string, unknown> {
  const [point, ...more] = points;
  assert.ok(point);
  assert.equal(more.length, 0);
  return JSON.parse(point.value);
}

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
    const [point] = readEcowitt(parsed(body), SI);
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
      'dateutc must be a date and time from 1970 to 9999',
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

describe('readWeatherUnderground', () => {
  it('reads an ObserverIP', () => {
    assert.deepEqual(readWeatherUnderground(stations.OBSERVERIP2, SI), [
      {
        series: {
          namespace: 'weather',
          name: 'MCKEAN',
          title: 'MCKEAN',
          source: 'wunderground',
          dataType: 'json',
          tags: { softwaretype: 'OBSERVERIP2_V2.2.3' },
          units: {
            temp: '°C',
            humidity: '%',
            dewpt: '°C',
            windchill: '°C',
            winddir: '°',
            windspeed: 'm/s',
            windgust: 'm/s',
            rain: 'mm',
            dailyrain: 'mm',
            weeklyrain: 'mm',
            monthlyrain: 'mm',
            yearlyrain: 'mm',
            solarradiation: 'W/m²',
            indoortemp: '°C',
            indoorhumidity: '%',
            barom: 'hPa',
          },
        },
        value: JSON.stringify({
          temp: 31.9,
          humidity: 54,
          dewpt: 21.5,
          windchill: 31.9,
          winddir: 269,
          windspeed: 0,
          windgust: 4.1,
          rain: 0,
          dailyrain: 0,
          weeklyrain: 12.09,
          monthlyrain: 122.71,
          yearlyrain: 122.71,
          solarradiation: 732.04,
          UV: 6,
          indoortemp: 26.3,
          indoorhumidity: 55,
          barom: 1020.49,
          lowbatt: 0,
        }),
        dateMs: undefined,
      },
    ]);
  });

  it('reads the documented example', () => {
    const query =
      'ID=KCASANFR5&PASSWORD=XXXXXX&dateutc=2000-01-01+10%3A32%3A35&winddir=230&windspeedmph=12&windgustmph=12' +
      '&tempf=70&rainin=0&baromin=29.1&dewptf=68.2&humidity=90&weather=&clouds=&softwaretype=vws%20versionxx' +
      '&action=updateraw&realtime=1&rtfreq=2.5';
    const points = readWeatherUnderground(parsed(query), SI);
    assert.equal(points[0]?.dateMs, Date.UTC(2000, 0, 1, 10, 32, 35));
    assert.deepEqual(fieldsOf(points), {
      winddir: 230,
      windspeed: 5.36,
      windgust: 5.36,
      temp: 21.11,
      rain: 0,
      barom: 985.44,
      dewpt: 20.11,
      humidity: 90,
    });
  });

  it('reads the other documented fields', () => {
    const query =
      'ID=K&windspdmph_avg2m=10&winddir_avg2m=20&windgustmph_10m=30&windgustdir_10m=40&temp2f=32&soiltempf=41' +
      '&soiltemp2f=50&soilmoisture=20&soilmoisture2=21&leafwetness=5&leafwetness2=6&visibility=10&weather=%2BRA' +
      '&clouds=OVC&AqPM2.5=8&AqPM10=9&AqOZONE=30&AqCO=0.4&units=raw';
    const points = readWeatherUnderground(parsed(query), SI);
    assert.deepEqual(fieldsOf(points), {
      windspd_avg2m: 4.47,
      winddir_avg2m: 20,
      windgust_10m: 13.41,
      windgustdir_10m: 40,
      temp2: 0,
      soiltemp: 5,
      soiltemp2: 10,
      soilmoisture: 20,
      soilmoisture2: 21,
      leafwetness: 5,
      leafwetness2: 6,
      visibility: 18.52,
      weather: '+RA',
      clouds: 'OVC',
      'AqPM2.5': 8,
      AqPM10: 9,
      AqOZONE: 30,
      AqCO: 0.4,
    });
    const { visibility, AqOZONE, AqCO, windgust_10m } = points[0]?.series.units ?? {};
    assert.deepEqual([visibility, AqOZONE, AqCO, windgust_10m], ['km', 'ppb', 'ppm', 'm/s']);
    assert.equal(points[0]?.series.units['AqPM2.5'], 'µg/m³');
  });

  it('refuses a message without ID', () => {
    assert.throws(() => readWeatherUnderground({ tempf: '50' }, SI), { message: 'ID is missing' });
  });
});

describe('readWeatherField', () => {
  const conversions: [string, number, number][] = [
    ['tempf', -40, -40],
    ['tempf', 32, 0],
    ['tempf', 212, 100],
    ['windspeedmph', 100, 44.7],
    ['baromrelin', 29.921, 1013.24],
    ['dailyrainin', 1, 25.4],
    ['rainratein', 2, 50.8],
    ['visibility', 1, 1.85],
    ['vpd', 1, 3.386],
  ];
  for (const [name, reported, stored] of conversions) {
    it(`converts ${name} ${reported} to ${stored}`, () => {
      assert.equal(readWeatherField(name, String(reported), 'si')?.value, stored);
    });
  }

  it('never stores minus zero', () => {
    assert.ok(Object.is(readWeatherField('tempf', '31.999', 'si')?.value, 0));
    assert.ok(Object.is(readWeatherField('windspeedmph', '-0', 'si')?.value, 0));
  });

  const places: [string, number, (stored: number) => number][] = [
    ['tempf', 1, (celsius) => celsius * 1.8 + 32],
    ['windspeedmph', 1, (speed) => speed / 0.44704],
    ['baromabsin', 3, (pressure) => pressure / 33.86389],
    ['yearlyrainin', 3, (rain) => rain / 25.4],
    ['rainratein', 3, (rate) => rate / 25.4],
    ['vpd', 3, (pressure) => pressure / 3.386389],
  ];
  for (const [name, decimals, inverse] of places) {
    it(`keeps every digit that a station reports as ${name}`, () => {
      fc.assert(
        fc.property(fc.integer({ min: -99_999, max: 99_999 }), (digits) => {
          const reported = (digits / 10 ** decimals).toFixed(decimals);
          fc.pre(Number(reported) !== -9_999);
          const stored = readWeatherField(name, reported, 'si')?.value;
          assert.equal(typeof stored, 'number');
          assert.equal(Number(inverse(Number(stored)).toFixed(decimals)) + 0, Number(reported) + 0);
          assert.match(String(stored), /^-?\d+(\.\d{1,3})?$/);
        }),
      );
    });
  }

  it('reads any form, or calls it unreadable', () => {
    const names = fc.oneof(
      fc.string(),
      fc.constantFrom('tempf', 'tf_ch1', 'baromin', 'vpd', 'dateutc', '__proto__', 'constructor', 'value'),
    );
    const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.double().map(String), fc.constant('1e308'));
    fc.assert(
      fc.property(fc.dictionary(names, texts), fc.constantFrom(SI, RAW), (form, options) => {
        for (const reading of [
          () => readEcowitt({ ...form, PASSKEY: 'x' }, options),
          () => readWeatherUnderground({ ...form, ID: 'x' }, options),
        ]) {
          try {
            for (const { value } of reading()) assert.ok(Buffer.byteLength(value) <= 65_535);
          } catch (error) {
            assert.ok(error instanceof UnreadableMessage, String(error));
          }
        }
      }),
    );
  });
});
