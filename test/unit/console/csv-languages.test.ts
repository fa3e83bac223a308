import assert from 'node:assert/strict';
import { read } from '../../support/csv-readings';

const NUMBERS = [1_234_567.5, -98_765.25, 12, -0.5, 0.125];
/** Together they have every way in which `Intl` groups digits, marks decimals, and writes signs and digits. */
const LOCALES = [
  'ar-EG bn ckb cs da de de-AT de-CH el en en-IN en-ZA es es-MX et fa fi fr fr-CH hi-u-nu-deva hr hu it-CH ja lt mr my',
  'nb ne nl pl pt pt-BR ro ru sl sv sw th-u-nu-thai tr uk ur-IN vi zh-u-nu-fullwide',
].flatMap((names) => names.split(' '));

describe('numbers of a file in any language', () => {
  for (const locale of LOCALES) {
    it(`are read: ${locale}`, () => {
      const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 3, useGrouping: true });
      const lines = NUMBERS.map((number, at) => `2026-11-20T10:0${at}:00Z;"${format.format(number)}"`);
      const { understanding, stored } = read(['date;value', ...lines]);
      assert.deepEqual([understanding.kind, Object.values(stored)], ['float', NUMBERS.map(String)], lines.join('\n'));
    });
  }
});

/** Their names of months mean the same in each other language that has them. */
const LANGUAGES = 'en de fr es it pt nl sv da nb pl cs sk ro tr ru uk id ko ja zh'.split(' ');

describe('months of a file in any language', () => {
  for (const language of LANGUAGES) {
    for (const month of ['long', 'short'] as const) {
      it(`are read: ${language}, ${month}`, () => {
        const format = new Intl.DateTimeFormat(language, { day: 'numeric', month, year: 'numeric', timeZone: 'UTC' });
        const days = Array.from({ length: 12 }, (_, at) => new Date(Date.UTC(2025, at, 20)));
        const lines = days.map((day, at) => `"${format.format(day)}";${at}`);
        const { stored } = read(['date;value', ...lines], { zone: 'UTC' });
        assert.deepEqual(
          Object.keys(stored),
          days.map((day) => day.toISOString()),
          lines.join('\n'),
        );
      });
    }
  }
});
