import { api, ask } from '../../api';
import { loadExtent } from '../../chart/load';
import { sensorName } from '../../format';
import { t } from '../../language';
import { textOf } from '../../ui/form';
import { useResource } from '../../use-resource';
import { loadLabels } from '../sensor/labels';
import { fullName } from '../sensors/differences';
import { loadSensors } from '../sensors/load';
import type { TrialSensor } from './trial';

/** A sensor with data to try a rule on. */
export function useTrialSensor(id: string | undefined) {
  return useResource<TrialSensor | undefined>(`trial ${id ?? ''}`, async (signal) => {
    if (id === undefined) return undefined;
    const [{ sensor }, extent, labels] = await Promise.all([
      ask(api.get('/sensors/{id}', { params: { path: { id } }, signal })),
      loadExtent(id, signal),
      loadLabels(id, signal),
    ]);
    return extent && { ...sensor, name: sensorName(sensor), dataType: sensor.data_type, extent, labels };
  });
}

export function TrialSensorChoice({ value, onValue }: { value: string | undefined; onValue: (id: string) => void }) {
  const sensors = useResource('sensors to try', () => loadSensors());
  return (
    <select
      class="input search"
      aria-label={t('Try it on')}
      value={value ?? ''}
      onChange={(event) => onValue(textOf(event))}
    >
      <option value="" disabled>
        {t('Choose a sensor')}
      </option>
      {sensors.data?.map((sensor) => (
        <option key={sensor.id} value={sensor.id}>
          {fullName(sensor)}
        </option>
      ))}
    </select>
  );
}
