import type { Records } from '../../api';
import { sensorName } from '../../format';
import { t } from '../../language';
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
    <DialogButton text={t('Connect a device')} title={t('Connect a device')}>
      {(close) => (
        <KeyForm
          label={t('Create the key')}
          field={t('Name of the key')}
          name={sensorName(sensor)}
          onCancel={close}
          make={async (name) => {
            await makeSensorKey(user.id, sensor.id, name);
            close();
            if (path !== page) go(page);
          }}
        >
          {t(
            'The device gets its own key, which can only upload to this sensor. Next you see the code for curl, ESP32, Python and Node.js.',
          )}
        </KeyForm>
      )}
    </DialogButton>
  );
}
