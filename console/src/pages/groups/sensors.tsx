import { api, ask } from '../../api';
import { t } from '../../language';
import { useUser } from '../../session';
import { useResource } from '../../use-resource';
import { SensorsIn } from '../sensors/sensors-in';

const WORDS = {
  open: t('Add sensors'),
  title: t('Add your sensors'),
  put: t('Add'),
  list: t('Your sensors'),
  takeOut: t('Remove'),
  takeOutOne: (name: string) => t('Remove {name} from the group', { name }),
};

/** The sensors that members have shared into a group. Actions without a right are not offered. */
export function GroupSensors({ groupId }: { groupId: string }) {
  const path = { group_id: groupId };
  const user_id = useUser().id;
  const { data: rights } = useResource(`own rights in ${groupId}`, async (signal) => {
    const params = { path: { ...path, user_id }, query: { details: 'full' as const } };
    return (await ask(api.get('/groups/{group_id}/users/{user_id}', { params, signal }))).user.group_permissions;
  });
  return (
    <SensorsIn
      place={`group ${groupId}`}
      keys={['state', 'day', 'value', 'age']}
      ownOnly
      words={WORDS}
      mayPut={rights?.add_sensors ?? false}
      mayTakeOut={({ owner }) => !owner || (rights?.remove_sensors ?? false)}
      load={async (query) => (await ask(api.get('/groups/{group_id}/sensors', { params: { path, query } }))).sensors}
      put={(sensors) => ask(api.post('/groups/{group_id}/sensors', { params: { path }, body: { sensors } }))}
      takeOut={(sensor_id) =>
        ask(api.delete('/groups/{group_id}/sensors/{sensor_id}', { params: { path: { ...path, sensor_id } } }))
      }
    />
  );
}
