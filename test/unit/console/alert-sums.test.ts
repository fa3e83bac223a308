import assert from 'node:assert/strict';
import { sumsOf } from '../../../console/src/pages/alerts/sums';

describe('the totals of alerts', () => {
  const alert = (trigger_id: string, sensor_id: string, date: number, ended: number | null) => ({
    first: { date },
    latest: { trigger_id, sensor_id, ended },
  });

  it('count alerts, triggers and sensors, and how long they lasted', () => {
    const alerts = [
      alert('1', '4', 100, 160),
      alert('1', '5', 100, 110),
      alert('2', '5', 0, 300),
      alert('2', '6', 0, null),
    ];
    assert.deepEqual(sumsOf(alerts, 500), { alerts: 4, triggers: 2, sensors: 3, longest: 500, median: 300 });
    assert.deepEqual(sumsOf([], 500), { alerts: 0, triggers: 0, sensors: 0, longest: undefined, median: undefined });
  });
});
