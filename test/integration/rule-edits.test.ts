import assert from 'node:assert/strict';
import { editRules } from '../../src/access/rule-edit';
import { Mute } from '../../src/storage/models/mute.model';
import { Sensor } from '../../src/storage/models/sensor.model';
import { SensorTrigger } from '../../src/storage/models/sensor-trigger.model';
import { Trigger } from '../../src/storage/models/trigger.model';
import { inTransaction } from '../../src/storage/transaction';
import { buildAlarm } from '../support/alarm';
import { buildMute } from '../support/factories';
import { usePlatform, useUser } from '../support/hooks';

describe('changes of rules and states', () => {
  const platform = usePlatform({ config: { SENSOR_PARTITIONS: '4' } });
  const user = useUser(platform);
  let sensorId: number;
  let triggerId: number;
  let muteId: number;

  before(async () => {
    const alarm = await buildAlarm(user, { trigger: {}, notifications: [] });
    [sensorId, triggerId] = [Number(alarm.sensorId), Number(alarm.triggerId)];
    muteId = Number(await buildMute(user, {}));
  });

  const epochs = async () => {
    const rows = await platform.query(
      'SELECT state_epoch AS version, upload_epoch AS changes FROM partitions ORDER BY partition_no',
    );
    return rows.map(({ version, changes }) => [Number(version), Number(changes)]);
  };

  it('are refused outside of an edit that names its sensors, and change nothing', async () => {
    const outside = /outside of an edit that names its sensors/;
    const { sequelize } = platform.container.database;
    const changes: [string, (transaction?: import('sequelize').Transaction) => Promise<unknown>][] = [
      ['a state', (transaction) => SensorTrigger.update({ active: false }, { where: { sensorId }, transaction })],
      ['a connection', (transaction) => SensorTrigger.destroy({ where: { sensorId }, transaction })],
      ['a rule', async (transaction) => (await Trigger.findByPk(triggerId))?.update({ name: 'x' }, { transaction })],
      ['a trigger', async (transaction) => (await Trigger.findByPk(triggerId))?.destroy({ transaction })],
      ['a mute', async (transaction) => (await Mute.findByPk(muteId))?.destroy({ transaction })],
      ['a name', (transaction) => Sensor.update({ name: 'x' }, { where: { id: sensorId }, transaction })],
      ['a sensor', (transaction) => Sensor.destroy({ where: { id: sensorId }, transaction })],
    ];
    const before = await epochs();
    for (const [what, change] of changes) {
      await assert.rejects(change(), outside, what);
      await assert.rejects(inTransaction(sequelize, change), outside, `${what} in a transaction`);
      await assert.rejects(
        editRules(sequelize, ({ transaction }) => change(transaction)),
        outside,
        `${what} in an edit without sensors`,
      );
    }
    assert.deepEqual(await epochs(), before);
    assert.equal((await SensorTrigger.findOne({ where: { sensorId } }))?.active, true);
    await Sensor.update({ pagerType: 'x' }, { where: { id: sensorId } });
  });

  it('bump the epochs of exactly their partitions, in one transaction', async () => {
    const { sequelize } = platform.container.database;
    const before = await epochs();
    await editRules(sequelize, async (edit) => {
      const { transaction } = edit;
      await edit.affects({ triggerId });
      await edit.affects({ sensorIds: [sensorId] });
      await SensorTrigger.update({ active: false }, { where: { triggerId }, transaction });
      assert.deepEqual(await epochs(), before, 'not before the end');
    });
    const after = before.map(([version, changes], partition) =>
      partition === sensorId % 4 ? [Number(version) + 1, Number(changes) + 1] : [version, changes],
    );
    assert.deepEqual(await epochs(), after);
    const failed = editRules(sequelize, async (edit) => {
      const { transaction } = edit;
      await edit.affects({ triggerId });
      await SensorTrigger.update({ active: true }, { where: { triggerId }, transaction });
      throw new Error('failed');
    });
    await assert.rejects(failed, /failed/);
    assert.deepEqual(await epochs(), after);
  });
});
