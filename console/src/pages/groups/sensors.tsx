import { api, ask } from '../../api';
import { t } from '../../language';
import { SensorsIn } from '../../ui/sensors-in';

const WORDS = {
  open: t('Add sensors'),
  title: t('Add your sensors'),
  put: t('Add'),
  list: t('Your sensors'),
  takeOut: t('Remove'),
  takeOutOne: (name: string) => t('Remove {name} from the group', { name }),
};

/** The sensors that members have shared into a group. */
export function GroupSensors({ groupId }: { groupId: string }) {
  const path = { group_id: groupId };
  return (
    <SensorsIn
      place={`group ${groupId}`}
      ownOnly
      words={WORDS}
      load={async (query) => (await ask(api.get('/groups/{group_id}/sensors', { params: { path, query } }))).sensors}
      put={(sensors) => ask(api.post('/groups/{group_id}/sensors', { params: { path }, body: { sensors } }))}
      takeOut={(sensor_id) =>
        ask(api.delete('/groups/{group_id}/sensors/{sensor_id}', { params: { path: { ...path, sensor_id } } }))
      }
    />
  );
}
