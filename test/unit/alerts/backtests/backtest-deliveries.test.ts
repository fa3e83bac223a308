import assert from 'node:assert/strict';
import {
  BacktestDeliveries,
  isNight,
  type PlannedDelivery,
} from '../../../../src/alerts/backtests/backtest-deliveries';

const T = 1_795_229_544_000;
const planned = (atS: number, overrides: Partial<PlannedDelivery> = {}): PlannedDelivery => ({
  ...{ notificationId: 7, sensorId: 1, kind: 'fired', atMs: T + atS * 1000, afterMute: false },
  text: () => `at ${atS}`,
  ...overrides,
});
const sent = (deliveries: readonly PlannedDelivery[], limits: { digestAfter?: number; listed?: number } = {}) => {
  const digested = new Set([7]);
  const sending = new BacktestDeliveries({ digestAfter: 3, digested, timezone: 'UTC', listed: 100, ...limits });
  sending.add(deliveries);
  sending.settle(T + 3_600_000);
  return sending;
};
const shown = ({ listed }: BacktestDeliveries) =>
  listed.map(({ notificationId, dateMs, kind, text }) => [notificationId, (dateMs - T) / 1000, kind, text]);

describe('planned deliveries of a backtest', () => {
  it('go out in order of time, and those beyond the limit of a minute as one at its end', () => {
    const all = sent([50, 0, 30, 10, 20, 61].map((atS) => planned(atS)));
    assert.deepEqual(shown(all), [
      [7, 0, 'fired', 'at 0'],
      [7, 10, 'fired', 'at 10'],
      [7, 20, 'fired', 'at 20'],
      [7, 60, 'digest', '2 alerts'],
      [7, 61, 'fired', 'at 61'],
    ]);
    assert.deepEqual([all.total, [...all.byNotification]], [5, [[7, 5]]]);
  });

  it('have no limit where a notification has no digests, and none if it is 0', () => {
    const many = [0, 1, 2, 3, 4, 5].map((atS) => planned(atS, { notificationId: 8 }));
    assert.equal(sent(many).listed.length, 6);
    assert.equal(
      sent(
        many.map((one) => ({ ...one, notificationId: 7 })),
        { digestAfter: 0 },
      ).listed.length,
      6,
    );
  });

  it('are one digest if a mute lets out several firings at once, while its ends go out alone', () => {
    const muted = (kind: PlannedDelivery['kind'], sensorId: number, notificationId = 7) =>
      planned(10, { kind, sensorId, notificationId, afterMute: true });
    const all = [
      muted('fired', 1),
      muted('resolved', 2),
      muted('fired', 3),
      muted('fired', 3, 8),
      planned(10, { sensorId: 4 }),
    ];
    assert.deepEqual(
      shown(sent(all))
        .map(([id, , kind]) => `${id} ${kind}`)
        .sort(),
      ['7 digest', '7 fired', '7 resolved', '8 fired'],
    );
  });

  it('are counted beyond those that are listed, whose texts alone are rendered', () => {
    let rendered = 0;
    const text = () => {
      rendered += 1;
      return '';
    };
    const all = sent(
      [0, 100, 200].map((atS) => planned(atS, { text })),
      { listed: 2 },
    );
    assert.deepEqual([all.listed.length, all.total, rendered], [2, 3, 2]);
  });

  it('wait for what may still be planned before them', () => {
    const sending = new BacktestDeliveries({ digestAfter: 1, digested: new Set([7]), timezone: 'UTC', listed: 9 });
    sending.add([planned(0), planned(5), planned(90)]);
    sending.settle(T + 30_000);
    assert.deepEqual(shown(sending), [[7, 0, 'fired', 'at 0']]);
    sending.settle(T + 60_000);
    assert.deepEqual(shown(sending).slice(1), [[7, 60, 'digest', '1 alerts']]);
    sending.settle(T + 90_000);
    assert.equal(sending.total, 3);
  });
});

it('a night is from 22:00 to 7:00 of a time zone', () => {
  const at = (iso: string) => isNight(Date.parse(iso), 'Europe/Berlin');
  const moments = ['2026-07-01T19:59:00Z', '2026-07-01T20:00:00Z', '2026-07-02T04:59:00Z', '2026-07-02T05:00:00Z'];
  assert.deepEqual(moments.map(at), [false, true, true, false]);
});
