import assert from 'node:assert/strict';
import { type Example, learn, recognise } from '../../../../../src/points/sensor-services/learning/classifier';
import { describeWindow } from '../../../../../src/points/sensor-services/learning/features';
import { collect, EMPTY_BUFFER, finish } from '../../../../../src/points/sensor-services/learning/windows';
import { type Day, weatherOf } from '../../../../support/weather';

const DAY_MS = 86_400_000;
const SEASONS = ['winter', 'spring', 'summer', 'autumn'];

/** Whole windows of two weeks with the label of their days, without windows with two labels. */
function examplesOf(days: readonly Day[], labelOf: (day: Day) => string): Example[] {
  const plan = { lengthMs: 14 * DAY_MS, anchorMs: days[0]?.atMs ?? 0, inputs: ['7'] };
  const readings = days.map(({ atMs, values }) => ({ input: '7', atMs, values }));
  const { buffer, windows } = collect(EMPTY_BUFFER, readings, plan);
  return [...windows, ...finish(buffer, plan)].flatMap((window) => {
    const labels = new Set(days.filter(({ atMs }) => atMs >= window.startMs && atMs < window.endMs).map(labelOf));
    const [label] = labels;
    const usable = label !== undefined && labels.size === 1 && window.readings.length === 14;
    return usable ? [{ label, features: describeWindow(window) }] : [];
  });
}

/** The share of windows of 2014 and 2015 that are recognised after learning 2012 and 2013. */
function accuracy(cities: readonly string[], labelOf: (day: Day) => string) {
  const examples = (early: boolean) =>
    cities.flatMap((city) =>
      examplesOf(
        weatherOf(city).filter(({ year }) => year < 2014 === early),
        labelOf,
      ),
    );
  const model = learn(examples(true));
  const unseen = examples(false);
  const right = unseen.filter(({ label, features }) => recognise(model, features).label === label);
  return { share: right.length / unseen.length, windows: unseen.length };
}

describe('accuracy on measured weather of years that were not learnt', () => {
  it('distinguishes Seattle from New York by two weeks of weather', () => {
    const { share, windows } = accuracy(['Seattle', 'New York'], ({ city }) => city);
    console.log(`      ${(share * 100).toFixed(1)} % of ${windows} windows`);
    assert.ok(share >= 0.9, String(share));
  });

  it('distinguishes the four seasons of Seattle far better than chance, though spring and autumn are similar', () => {
    const seasonOf = ({ month }: Day) => SEASONS[Math.floor((month % 12) / 3)] ?? '';
    const { share, windows } = accuracy(['Seattle'], seasonOf);
    console.log(`      ${(share * 100).toFixed(1)} % of ${windows} windows`);
    assert.ok(share >= 0.6, String(share));
  });
});
