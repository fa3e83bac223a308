import { api, ask } from '../../api';
import { SensorsIn } from '../../ui/sensors-in';

const WORDS = {
  open: 'Put sensors in',
  title: 'Put sensors in',
  put: 'Put in',
  list: 'Sensors',
  takeOut: 'Take out',
  takeOutOne: (name: string) => `Take out ${name}`,
};

/** The sensors that are in an environment. */
export function SensorsInside({ id }: { id: string }) {
  const path = { id };
  return (
    <SensorsIn
      place={`environment ${id}`}
      words={WORDS}
      load={async (query) => (await ask(api.get('/environments/{id}/sensors', { params: { path, query } }))).sensors}
      put={(sensors) => ask(api.post('/environments/{id}/sensors', { params: { path }, body: { sensors } }))}
      takeOut={(sensor_id) =>
        ask(api.delete('/environments/{id}/sensors/{sensor_id}', { params: { path: { ...path, sensor_id } } }))
      }
    />
  );
}
