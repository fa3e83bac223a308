import assert from 'node:assert/strict';
import { buildNotification, create, upload } from '../../support/factories';
import { fakeClock } from '../../support/fake-clock';
import { buildFleet, type Fleet, someAtOnce } from '../../support/fleet';
import { usePlatform, useReceiver, useUserPerTest } from '../../support/hooks';

const SENSORS = 120;
const NOTIFICATIONS = 20;
const MOST_IN_A_TRANSACTION = 2_000;

describe('many episodes with many notifications', () => {
  const clock = fakeClock();
  const platform = usePlatform({ clock });
  const receiver = useReceiver();
  const user = useUserPerTest(platform);

  /** A fleet that fires, and that then gets its notifications. */
  const firing = async (): Promise<Fleet> => {
    const trigger = { expression: 'sensor_data_value > 0', repeat: 0, notify_resolved: true };
    const fleet = await buildFleet(user, { sensors: SENSORS, trigger, notifications: [] });
    await someAtOnce(SENSORS, (index) => upload(user, fleet.sensorIds[index] ?? '', { value: 1 }));
    await platform.settle();
    assert.equal(await lasting(), SENSORS);
    for (let index = 0; index < NOTIFICATIONS; index += 1) {
      const id = await buildNotification(user, { destination: `${receiver.url}/${index}` });
      await create(user, `/triggers/${fleet.triggerId}/notifications`, { notification: { id } });
      fleet.notificationIds.push(id);
    }
    return fleet;
  };
  const numberOf = async (sql: string) => Number((await platform.query(sql, [user.id]))[0]?.total);
  const lasting = () => numberOf('SELECT COUNT(*) AS total FROM firings WHERE owner_id = ? AND is_lasting');
  const ends = () => numberOf("SELECT COUNT(*) AS total FROM deliveries WHERE owner_id = ? AND kind = 'end'");
  /** How many transactions changed the rules, until this has been done. */
  const editsOf = async (act: () => Promise<{ status: number; body: unknown }>) => {
    const read = () => numberOf('SELECT MAX(upload_epoch) AS total FROM partitions WHERE partition_no >= 0 * ?');
    const before = await read();
    const { status, body } = await act();
    assert.equal(status, 200, JSON.stringify(body));
    return (await read()) - before;
  };
  const api = () => user.api;
  const EDITS: readonly [string, (fleet: Fleet) => Promise<{ status: number; body: unknown }>][] = [
    [
      'an edit of their trigger',
      ({ triggerId }) => api().put(`/triggers/${triggerId}`, { trigger: { expression: 'sensor_data_value > 0.5' } }),
    ],
    ['the deletion of their trigger', ({ triggerId }) => api().delete(`/triggers/${triggerId}`)],
    ['the deletion of a notification', ({ notificationIds: [id] }) => api().delete(`/notifications/${id}`)],
  ];
  for (const [what, edit] of EDITS) {
    it(`end by ${what} in small transactions, each with a delivery to every notification`, async () => {
      const fleet = await firing();
      const edits = await editsOf(() => edit(fleet));
      assert.ok(edits >= (SENSORS * NOTIFICATIONS) / MOST_IN_A_TRANSACTION, `${edits} transactions`);
      assert.deepEqual([await lasting(), await ends()], [0, SENSORS * NOTIFICATIONS]);
    });
  }

  it('end in small transactions when their trigger selects other sensors', async () => {
    const { triggerId } = await firing();
    await platform.query('UPDATE sensor_triggers SET by_selector = TRUE WHERE trigger_id = ?', [triggerId]);
    const selector = { filter: { metatag_statement_groups: [[{ metatag_name: 'none', operator: 'is_set' }]] } };
    const edits = await editsOf(async () => {
      const answer = await api().put(`/triggers/${triggerId}`, { trigger: { selector } });
      await platform.settle();
      return answer;
    });
    const ofThePut = 1;
    assert.ok(edits >= ofThePut + (SENSORS * NOTIFICATIONS) / MOST_IN_A_TRANSACTION, `${edits} transactions`);
    assert.deepEqual([await lasting(), await ends()], [0, SENSORS * NOTIFICATIONS]);
    assert.equal((await api().get(`/triggers/${triggerId}`)).body.trigger.selected_sensors, 0);
  });

  it('do not end by an edit that is refused', async () => {
    const { triggerId } = await firing();
    for (const [field, value] of [
      ['expression', 'sensor_data_value >'],
      ['repeat', 5],
      ['resolved_text', '{{round(sensor_data_value, 99)}}'],
      ['timezone', 'Nowhere'],
    ]) {
      const trigger = { expression: 'sensor_data_value > 0.5', [String(field)]: value };
      const { status, body } = await api().put(`/triggers/${triggerId}`, { trigger });
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(body.error, new RegExp(String(field)));
    }
    assert.deepEqual([await lasting(), await ends()], [SENSORS, 0]);
  });
});
