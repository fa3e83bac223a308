import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { DialogButton } from '../../ui/dialog';
import { Check, Field, Form, Select } from '../../ui/form';
import { KINDS, kindOfSensor } from '../upload/words';

/** Edits the names of a sensor, and whether it stores data. */
export function EditSensor({ sensor, onDone }: { sensor: Records['OwnedSensorView']; onDone: () => void }) {
  return (
    <DialogButton text="Edit" title="Edit the sensor">
      {(close) => (
        <Fields
          sensor={sensor}
          onCancel={close}
          onDone={() => {
            close();
            onDone();
          }}
        />
      )}
    </DialogButton>
  );
}

function Fields({
  sensor,
  onDone,
  onCancel,
}: {
  sensor: Records['OwnedSensorView'];
  onDone: () => void;
  onCancel: () => void;
}) {
  const [name, setName] = useState(sensor.name);
  const [shown, setShown] = useState(sensor.display_name);
  const [device, setDevice] = useState(sensor.device_type);
  const [kind, setKind] = useState<string>(kindOfSensor(sensor.data_type) ?? sensor.data_type);
  const [stores, setStores] = useState(sensor.use_data_storage);
  const submit = async () => {
    // Another spelling of the same kind does not change it.
    const isSame = kind === (kindOfSensor(sensor.data_type) ?? sensor.data_type);
    const changes = {
      name,
      display_name: shown,
      device_type: device,
      use_data_storage: stores,
      ...(!isSame && { data_type: kind }),
    };
    await ask(api.put('/sensors/{id}', { params: { path: { id: sensor.id } }, body: { sensor: changes } }));
    onDone();
  };
  return (
    <Form label="Save" submit={submit} onCancel={onCancel}>
      <Field label="Name" value={name} onValue={setName} required hint="What programs and groups know it by." />
      <Field label="Shown as" value={shown} onValue={setShown} hint="Optional, what people see." />
      <Field label="Model of the device" value={device} onValue={setDevice} />
      <Select label="Values" value={kind} onValue={setKind} options={kindsWith(kind)} hint={KIND_HINT} />
      <Check
        label="Keep data points"
        checked={stores}
        onChecked={setStores}
        hint="Otherwise triggers see them, and they are gone."
      />
    </Form>
  );
}

const KIND_HINT = 'How rules read them. Stored values do not change.';

/** The kinds that people choose from, and one that a program has set. */
function kindsWith(kind: string): readonly (readonly [string, string])[] {
  return KINDS.some(([one]) => one === kind) ? KINDS : [...KINDS, [kind, kind || 'not said'] as const];
}
