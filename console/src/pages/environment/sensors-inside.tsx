import { api, ask } from '../../api';
import { t } from '../../language';
import { SensorsIn } from '../sensors/sensors-in';

const WORDS = {
  open: t('Put sensors in'),
  title: t('Put sensors in'),
  put: t('Put in'),
  list: t('Sensors'),
  takeOut: t('Take out'),
  takeOutOne: (name: string) => t('Take out {name}', { name }),
};

/** The sensors that are in an environment. */
export function SensorsInside({ id, onChange }: { id: string; onChange: () => void }) {
  const path = { id };
  return (
    <SensorsIn
      place={`environment ${id}`}
      keys={['value']}
      words={WORDS}
      mayPut
      mayTakeOut={() => true}
      load={async (query) => (await ask(api.get('/environments/{id}/sensors', { params: { path, query } }))).sensors}
      put={(sensors) =>
        ask(api.post('/environments/{id}/sensors', { params: { path }, body: { sensors } })).then(onChange)
      }
      takeOut={(sensor_id) =>
        ask(api.delete('/environments/{id}/sensors/{sensor_id}', { params: { path: { ...path, sensor_id } } })).then(
          onChange,
        )
      }
    />
  );
}
