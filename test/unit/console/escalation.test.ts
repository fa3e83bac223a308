import assert from 'node:assert/strict';
import {
  changesOf,
  groupsOf,
  joined,
  lossesOf,
  recipientsOn,
  type Step,
  withDelay,
  withStep,
} from '../../../console/src/pages/trigger/escalation';

const ann: Step = { notification: 'ann', after: 0 };
const boss: Step = { notification: 'boss', after: 3600 };

describe('the steps of an escalation', () => {
  it('are in the order of their delays, those on single sensors together', () => {
    const steps = [boss, { ...ann, sensor: '1' }, { ...ann, sensor: '2' }, { notification: 'sms', after: 600 }];
    assert.deepEqual(groupsOf(steps), [
      { notification: 'ann', after: 0, sensors: ['1', '2'] },
      { notification: 'sms', after: 600 },
      { notification: 'boss', after: 3600 },
    ]);
  });

  it('notify each of those on a sensor once in a backtest, after the shorter delay, and at most 20', () => {
    const steps = [boss, { ...boss, after: 600, sensor: '1' }, { ...ann, sensor: '2' }];
    assert.deepEqual(recipientsOn(steps, '1'), [{ id: 'boss', after: 600 }]);
    assert.deepEqual(recipientsOn(steps, '2'), [
      { id: 'boss', after: 3600 },
      { id: 'ann', after: 0 },
    ]);
    const crowd = Array.from({ length: 21 }, (_, at) => ({ notification: String(at), after: 0 }));
    assert.equal(recipientsOn(crowd, '1').length, 20);
  });

  it('have one delay for each notification and sensor', () => {
    assert.deepEqual(withStep([ann, boss], { ...ann, after: 60 }), [boss, { ...ann, after: 60 }]);
    const single = { ...ann, sensor: '1' };
    assert.deepEqual(withStep([single, boss], ann), [boss, ann]);
    assert.deepEqual(withStep([ann], single), [ann, single]);
    const groups = groupsOf([ann, single]);
    assert.equal(groups.length, 2);
    assert.deepEqual(withDelay([ann, single], { notification: 'ann', after: 0, sensors: ['1'] }, 60), [
      ann,
      { ...single, after: 60 },
    ]);
  });

  it('are steps on all sensors if every sensor has them with the same delay', () => {
    const everywhere = ['1', '2'].map((sensor) => ({ ...ann, sensor }));
    assert.deepEqual(joined(everywhere, ['1', '2']), [ann]);
    assert.deepEqual(joined(everywhere, ['1', '2', '3']), everywhere);
    assert.deepEqual(joined(everywhere, []), everywhere);
    assert.deepEqual(joined([{ ...ann, after: 600 }, ...everywhere], ['1', '2']), [ann]);
    const late = everywhere.map((step) => ({ ...step, after: 900 }));
    assert.deepEqual(joined([{ ...ann, after: 600 }, ...late], ['1', '2']), [{ ...ann, after: 600 }]);
    const different = everywhere.map((step, after) => ({ ...step, after }));
    assert.deepEqual(joined(different, ['1', '2']), different);
  });

  it('say what to connect and to disconnect', () => {
    const single = { ...ann, sensor: '1' };
    assert.deepEqual(changesOf([ann, boss], [ann, boss]), { connect: [], disconnect: [] });
    assert.deepEqual(changesOf([single, boss], [ann, { ...boss, after: 60 }]), {
      connect: [ann, { ...boss, after: 60 }],
      disconnect: [single],
    });
  });

  it('say which notifications lose how many sensors', () => {
    const sensors = ['1', '2', '3'];
    const single = { ...ann, sensor: '1' };
    assert.deepEqual(lossesOf([ann, boss], [boss], sensors), [{ notification: 'ann', sensors: 3 }]);
    assert.deepEqual(lossesOf([ann], [single], sensors), [{ notification: 'ann', sensors: 2 }]);
    assert.deepEqual(lossesOf([single], [], sensors), [{ notification: 'ann', sensors: 1 }]);
    assert.deepEqual(lossesOf([single], [ann], sensors), []);
    assert.deepEqual(lossesOf([ann], [], []), [{ notification: 'ann', sensors: 0 }]);
  });
});
