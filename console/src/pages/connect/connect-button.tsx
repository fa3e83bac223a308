import type { Records } from '../../api';
import { sensorName } from '../../format';
import { go, usePlace } from '../../router';
import { useUser } from '../../session';
import { DialogButton } from '../../ui/dialog';
import { KeyForm } from './key-form';
import { makeSensorKey } from './new-keys';

type Sensor = Pick<Records['OwnedSensorView'], 'id' | 'name' | 'display_name'>;

/** Makes a key for a device that uploads to this sensor, and opens the page with the code for the device. */
export function ConnectButton({ sensor }: { sensor: Sensor }) {
  const user = useUser();
  const { path } = usePlace();
  const page = `/sensors/${sensor.id}`;
  return (
    <DialogButton text="Connect a device" title="Connect a device">
      {(close) => (
        <KeyForm
          label="Create the key"
          field="Name of the key"
          name={sensorName(sensor)}
          onCancel={close}
          make={async (name) => {
            await makeSensorKey(user.id, sensor.id, name);
            close();
            if (path !== page) go(page);
          }}
        >
          The device gets a key of its own, which can upload to this sensor and do nothing else. Next you see what it
          has to send, for curl, ESP32, Python and Node.js.
        </KeyForm>
      )}
    </DialogButton>
  );
}
