import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { sensorName } from '../../format';
import { go, usePlace } from '../../router';
import { useUser } from '../../session';
import { DialogButton } from '../../ui/dialog';
import { Field, Form } from '../../ui/form';
import { makeKey } from './new-keys';

type Sensor = Pick<Records['OwnedSensorView'], 'id' | 'name' | 'display_name'>;

/**
 * Connects a device: makes its key, and the sensor if there is none yet, and opens the page with the code for the
 * device.
 */
export function ConnectButton({ sensor, kind }: { sensor?: Sensor; kind?: string }) {
  return (
    <DialogButton text="Connect a device" title="Connect a device" kind={kind}>
      {(close) => <Connect sensor={sensor} close={close} />}
    </DialogButton>
  );
}

function Connect({ sensor, close }: { sensor: Sensor | undefined; close: () => void }) {
  const user = useUser();
  const { path } = usePlace();
  const [name, setName] = useState(sensor ? sensorName(sensor) : 'My device');
  const submit = async () => {
    const target =
      sensor ?? (await ask(api.post('/sensors', { body: { sensor: { name, data_type: 'float' } } }))).sensor;
    await makeKey(user.id, target, name);
    close();
    const page = `/sensors/${target.id}`;
    if (path !== page) go(page);
  };
  return (
    <Form label={sensor ? 'Create the key' : 'Create sensor and key'} submit={submit} onCancel={close}>
      <Field
        label={sensor ? 'Name of the key' : 'Name of the sensor'}
        value={name}
        onValue={setName}
        required
        maxLength={255}
      />
      <p class="quiet">
        The device gets a key of its own, which can upload to this sensor and do nothing else. Next you see what it has
        to send, for curl, ESP32, Python and Node.js.
      </p>
    </Form>
  );
}
