import assert from 'node:assert/strict';
import { type EventStream, useStreams } from '../../support/event-stream';
import { buildGroup, buildSensor, buildTrigger, connectTrigger, upload } from '../../support/factories';
import { accept, join } from '../../support/groups';
import { usePlatform, useUserPerTest } from '../../support/hooks';
import type { TestUser } from '../../support/platform';
import { until } from '../../support/until';

describe('the stream of firings of a group', () => {
  const platform = usePlatform();
  const ada = useUserPerTest(platform);
  const grace = useUserPerTest(platform);
  const { stream } = useStreams(platform, ada);
  const triggersIn = ({ news }: EventStream) => news.map(({ data }) => data.trigger_id);

  const alarm = async (owner: TestUser, fields: Record<string, unknown>) => {
    const triggerId = await buildTrigger(owner, fields);
    const fire = async () => {
      const sensorId = await buildSensor(owner);
      await connectTrigger(owner, sensorId, triggerId);
      await upload(owner, sensorId, { value: 31 });
      await platform.settle();
    };
    return { triggerId, fire };
  };

  it('brings what members may see from the beginning, and within ten seconds what begins and ends', async function () {
    this.timeout(60_000);
    const groupId = await buildGroup(ada);
    const shown = await alarm(ada, { group_id: groupId });
    const hidden = await alarm(ada, {});
    await join(grace, groupId);
    await accept(ada, groupId, grace);
    const [own, others] = [await stream('/firings/stream'), await stream('/firings/stream', grace)];
    await hidden.fire();
    await shown.fire();
    await own.has(2);
    assert.deepEqual(triggersIn(others), []);

    const grant = (see_alerts: boolean) =>
      ada.api.put(`/groups/${groupId}/users/${grace.id}`, { group_permissions: { see_alerts } });
    await grant(true);
    const opened = await stream('/firings/stream', grace);
    await until(
      'both streams of the member bring a firing',
      async () => {
        await hidden.fire();
        await shown.fire();
        return others.news.length > 0 && opened.news.length > 0;
      },
      12_000,
    );
    assert.deepEqual([...new Set([...triggersIn(others), ...triggersIn(opened)])], [shown.triggerId]);
    assert.deepEqual(opened.news[0]?.data.held_by, null);

    await grant(false);
    await new Promise((resolve) => setTimeout(resolve, 10_000)); // the time that the contract allows
    const before = [others.news.length, opened.news.length];
    const count = own.news.length;
    await shown.fire();
    await own.has(count + 1);
    const cursor = { 'Last-Event-ID': opened.cursor };
    const resumed = await stream('/firings/stream', grace, cursor);
    await new Promise((resolve) => setTimeout(resolve, 2_000)); // longer than a look at the log
    assert.deepEqual([others.news.length, opened.news.length, resumed.news.length], [...before, 0]);
    assert.ok(!others.isOver);
  });
});
