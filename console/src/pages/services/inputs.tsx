import { useState } from 'preact/hooks';
import { api, ask } from '../../api';
import { sensorName } from '../../format';
import { t } from '../../language';
import { Form } from '../../ui/form';
import { PickSensors } from '../../ui/pick-sensors';

/** Asks before anything is made: a service with some of its inputs would be of no use. */
export async function checkInputs(kind: string, ids: readonly string[], all = ids): Promise<void> {
  if (all.length === 0) throw new Error(t('Choose at least one sensor that feeds it.'));
  for (const id of ids) {
    const params = { path: { id } };
    const { services } = await ask(api.get('/sensors/{id}/services/available', { params }));
    if (services.some(({ name }) => name === kind)) continue;
    const { sensor } = await ask(api.get('/sensors/{id}', { params }));
    throw new Error(t('“{sensor}” has no values that this kind can use.', { sensor: sensorName(sensor) }));
  }
}

interface InputsProps {
  service: { id: string; device_type: string };
  /** The ids of the sensors that feed it. */
  inputs: readonly string[];
  close: () => void;
  onDone: () => void;
}

/** Changes the inputs of a service. New ones come first: without any it would be deleted. */
export function Inputs({ service: { id, device_type: kind }, inputs, close, onDone }: InputsProps) {
  const [chosen, setChosen] = useState(inputs);
  const submit = async () => {
    const added = chosen.filter((one) => !inputs.includes(one));
    await checkInputs(kind, added, chosen);
    for (const one of added) {
      await ask(api.post('/sensors/{id}/services', { params: { path: { id: one } }, body: { service: { id } } }));
    }
    for (const one of inputs) {
      if (chosen.includes(one)) continue;
      const path = { id: one, service_id: id };
      await ask(api.delete('/sensors/{id}/services/{service_id}', { params: { path } }));
    }
    close();
    onDone();
  };
  return (
    <Form label={t('Save')} submit={submit} onCancel={close}>
      <PickSensors label={t('Fed by')} chosen={chosen} onChosen={setChosen} except={[id]} />
      {kind === 'math_service' && <p class="hint">{t('The formula cannot use sensors that no longer feed it.')}</p>}
    </Form>
  );
}
