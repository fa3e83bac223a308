import assert from 'node:assert/strict';
import type { Alert } from '../../../../src/notifications/delivery/alert';
import { insertDeliveries, type NewDelivery } from '../../../../src/notifications/delivery/delivery-rows';

const EPISODES = 95;
const NOTIFICATIONS = 20;

describe('the rows of deliveries', () => {
  it('are written by statements of at most 250, and an alert is written as JSON once for all of its notifications', async () => {
    let written = 0;
    const deliveries = Array.from({ length: EPISODES }, (_, firingId) => {
      const toJSON = () => {
        written += 1;
        return 'x';
      };
      const details = { toJSON } as unknown as Alert; // only its JSON counts
      return Array.from({ length: NOTIFICATIONS }, (_, notificationId): NewDelivery => {
        const whose = {
          kind: 'end' as const,
          ownerId: 1,
          notificationId,
          firingId,
          type: 'url',
          destination: 'http://a.test/',
        };
        return { ...whose, text: 'x', details, nextAttemptMs: 1, createdMs: 1 };
      });
    }).flat();
    const rows: unknown[] = [];
    await insertDeliveries(async (_sql, [slice]) => {
      assert.ok(Array.isArray(slice) && slice.length <= 250, 'a statement has few rows');
      rows.push(...slice);
      return [];
    }, deliveries);
    assert.deepEqual([rows.length, written], [EPISODES * NOTIFICATIONS, EPISODES]);
  });
});
