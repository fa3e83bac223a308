import assert from 'node:assert/strict';
import { readWeatherUnderground } from '../../../../src/gateways/protocols/weather-underground';
import stations from '../../../fixtures/protocols/weather-stations.json';
import { fieldsOf, readForm } from '../../../support/station-forms';

const SI = { units: 'si' } as const;

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
      'ID=KCASANFR5&PASSWORD=XXXXXX&dateutc=2025-01-01+10%3A32%3A35&winddir=230&windspeedmph=12&windgustmph=12' +
      '&tempf=70&rainin=0&baromin=29.1&dewptf=68.2&humidity=90&weather=&clouds=&softwaretype=vws%20versionxx' +
      '&action=updateraw&realtime=1&rtfreq=2.5';
    const points = readWeatherUnderground(readForm(query), SI);
    assert.equal(points[0]?.dateMs, Date.UTC(2025, 0, 1, 10, 32, 35));
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
    const points = readWeatherUnderground(readForm(query), SI);
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
