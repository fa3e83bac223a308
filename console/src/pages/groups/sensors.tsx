import { api, ask } from '../../api';
import { SensorsIn } from '../../ui/sensors-in';

const WORDS = {
  open: 'Add sensors',
  title: 'Add your sensors',
  put: 'Add',
  list: 'Your sensors',
  takeOut: 'Remove',
  takeOutOne: (name: string) => `Remove ${name} from the group`,
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
