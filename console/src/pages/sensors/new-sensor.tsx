import { useState } from 'preact/hooks';
import { api, ask } from '../../api';
import { go } from '../../router';
import { Field, Form, Select } from '../../ui/form';

const KINDS = [
  ['float', 'Numbers'],
  ['boolean', 'True or false'],
  ['string', 'Text'],
  ['json', 'Several fields (JSON)'],
] as const;

/** Creates a sensor, and opens it. */
export function NewSensor({ close }: { close: () => void }) {
  const [name, setName] = useState('');
  const [device, setDevice] = useState('');
  const [kind, setKind] = useState('float');
  const submit = async () => {
    const { sensor } = await ask(
      api.post('/sensors', { body: { sensor: { name, data_type: kind, device_type: device } } }),
    );
    close();
    go(`/sensors/${sensor.id}`);
  };
  return (
    <Form label="Create" submit={submit} onCancel={close}>
      <Field label="Name" value={name} onValue={setName} placeholder="Living room" required maxLength={255} />
      <Select label="Values" value={kind} onValue={setKind} options={KINDS} />
      <Field label="Model of the device" hint="Optional, BME280 for instance." value={device} onValue={setDevice} />
    </Form>
  );
}
