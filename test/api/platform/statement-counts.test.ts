import assert from 'node:assert/strict';
import type { ApiResponse } from '../../support/api-client';
import {
  buildGroup,
  buildNotification,
  buildSensor,
  buildTrigger,
  connectTrigger,
  create,
} from '../../support/factories';
import { join, sensorsOf } from '../../support/groups';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import type { TestUser } from '../../support/platform';
import { statementsOf } from '../../support/statements';

const FEW = 2;
const MANY = 20;

describe('the number of statements does not depend on the number of objects', () => {
  const platform = usePlatform();
  const user = useUserPerTest(platform);

  const times = <T>(count: number, build: (index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => build(index)));

  /** How many statements a successful request needs. */
  const count = async (send: () => Promise<ApiResponse>, expected = 201): Promise<number> => {
    const responses: ApiResponse[] = [];
    const statements = await statementsOf(platform, async () => responses.push(await send()));
    assert.deepEqual(
      responses.map(({ status }) => status),
      [expected],
    );
    assert.ok(statements.length > 5, statements.join('\n'));
    return statements.length;
  };

  /** Events with notifications need statements, too. */
  const listen = async (event: string) => {
    const notification_id = await buildNotification(user);
    await create(user, '/events/notifications', { event_notification: { event, notification_id } });
  };

  it('when triggers with inactivities are connected to a sensor', async () => {
    await listen('add_sensor_trigger');
    const connect = async (size: number) => {
      const sensorId = await buildSensor(user);
      const ids = await times(size, (index) => buildTrigger(user, { inactivity: 60 + index }));
      const triggers = ids.map((id) => ({ trigger: { id } }));
      return count(() => user.api.post(`/sensors/${sensorId}/triggers`, { triggers }));
    };
    assert.equal(await connect(MANY), await connect(FEW));
  });

  it('when notifications are connected to a trigger', async () => {
    const connect = async (size: number) => {
      const [sensorId, triggerId] = [await buildSensor(user), await buildTrigger(user)];
      await connectTrigger(user, sensorId, triggerId);
      const ids = await times(size, () => buildNotification(user));
      const notifications = ids.map((id) => ({ notification: { id } }));
      return count(() => user.api.post(`/sensors/${sensorId}/triggers/${triggerId}/notifications`, { notifications }));
    };
    assert.equal(await connect(MANY), await connect(FEW));
  });

  it('when users who offer sensors are accepted in a group, each with their own rights', async () => {
    await listen('accept_group_user');
    await listen('add_group_sensor');
    const acceptAll = async (size: number) => {
      const groupId = await buildGroup(user, { required_sensors: ['position'] });
      const joining = await times(size, () => platform.user());
      for (const one of joining) {
        await buildSensor(one, { name: 'position' });
        assert.equal((await join(one, groupId, { sensors: [await buildSensor(one)] })).status, 201);
      }
      const users = joining.map(({ id }, index) => ({
        user: { id },
        group_permissions: { list_users: index % 2, remove_users: index % 3 === 0 ? 1 : 0 },
      }));
      const statements = await count(() => user.api.post(`/groups/${groupId}/users`, { users }));
      assert.equal((await sensorsOf(user, groupId)).length, 2 * size);
      await requireRights(joining, groupId, users);
      return statements;
    };
    // Each of them finds the acceptance in the own history, which takes two.
    assert.equal((await acceptAll(MANY)) - (await acceptAll(FEW)), 2 * (MANY - FEW));
  });

  it('when a user joins a group with sensors', async () => {
    await listen('add_group_sensor');
    const joinWith = async (size: number) => {
      const groupId = await buildGroup(user, { public: 1 });
      const joining = await platform.user();
      const sensors = await times(size, () => buildSensor(joining));
      const statements = await count(() => join(joining, groupId, { sensors }));
      assert.equal((await sensorsOf(user, groupId)).length, size);
      return statements;
    };
    assert.equal(await joinWith(MANY), await joinWith(FEW));
  });

  it('when many sensors are shared with a group by one action', async () => {
    await listen('add_group_sensor');
    const shareAll = async (size: number) => {
      const [groupId, sensors] = [await buildGroup(user), await times(size, () => buildSensor(user))];
      const action = { add_to_group: { id: groupId } };
      const statements = await count(() => user.api.post('/sensors/bulk', { sensors, action }), 200);
      const { total } = (await user.api.get(`/sensors?group_id=${groupId}&total=1`)).body;
      assert.equal(total, size);
      return statements;
    };
    assert.equal(await shareAll(120), await shareAll(FEW));
  });

  const requireRights = async (
    joined: TestUser[],
    groupId: string,
    granted: { group_permissions: Record<string, unknown> }[],
  ) => {
    const { body } = await user.api.get(`/groups/${groupId}/users?details=full`);
    for (const [index, { id }] of joined.entries()) {
      const member = body.users.find((one: { id: string }) => one.id === id);
      assert.equal(member.accepted, true);
      for (const [right, value] of Object.entries(granted[index]?.group_permissions ?? {})) {
        assert.equal(member.group_permissions[right], value === 1, `${right} of ${index}`);
      }
    }
  };
});
