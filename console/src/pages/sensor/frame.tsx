import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { personName, sensorName } from '../../format';
import { go, href } from '../../router';
import { DangerButton, DialogButton } from '../../ui/dialog';
import { Loaded, Page } from '../../ui/page';
import { useResource } from '../../use-resource';
import { ConnectButton } from '../connect/connect-button';
import { Upload } from '../upload/upload';
import { EditSensor } from './edit';

type Sensor = Records['OwnedSensorView'];

const TABS = [
  ['chart', 'Chart', ''],
  ['data', 'Data', '/data'],
  ['about', 'About', '/about'],
] as const;

interface FrameProps {
  id: string;
  tab: (typeof TABS)[number][0];
  children: (sensor: Sensor, reload: () => void) => ComponentChildren;
}

/** The head of all pages of a sensor. */
export function SensorFrame({ id, tab, children }: FrameProps) {
  const [uploads, setUploads] = useState(0);
  const sensor = useResource(`sensor ${id}`, async (signal) => {
    const { sensor: found } = await ask(api.get('/sensors/{id}', { params: { path: { id } }, signal }));
    return found;
  });
  return (
    <Page
      title={sensor.data ? sensorName(sensor.data) : 'Sensor'}
      crumb={{ path: '/sensors', name: 'Sensors' }}
      lead={sensor.data && <Lead sensor={sensor.data} />}
      actions={
        sensor.data && <Buttons sensor={sensor.data} reload={sensor.reload} onUpload={() => setUploads(uploads + 1)} />
      }
    >
      <Loaded resource={sensor}>
        {(found) => (
          <>
            <nav class="tabs" aria-label="Parts of the sensor">
              {TABS.map(([key, name, path]) => (
                <a key={key} href={href(`/sensors/${id}${path}`)} aria-current={key === tab ? 'page' : undefined}>
                  {name}
                </a>
              ))}
            </nav>
            <div class="stack" key={uploads} style={{ gap: '1.75rem' }}>
              {children(found, sensor.reload)}
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The actions on a sensor: all for the user's own, and only leaving for other users' sensors. */
function Buttons({ sensor, reload, onUpload }: { sensor: Sensor; reload: () => void; onUpload: () => void }) {
  const { id, owner } = sensor;
  const remove = async () => {
    await ask(api.delete('/sensors/{id}', { params: { path: { id } } }));
    go('/sensors');
  };
  if (owner) {
    return (
      <DangerButton
        text="Remove"
        title={`Remove ${sensorName(sensor)} from your sensors?`}
        consequence={`${personName(owner)} keeps it. What a group shares with you stays as long as you are a member.`}
        act={remove}
      />
    );
  }
  return (
    <>
      <DialogButton text="Upload" title="Upload data">
        {(close) => (
          <Upload
            sensor={sensor}
            close={() => {
              close();
              onUpload();
            }}
          />
        )}
      </DialogButton>
      {sensor.type !== '2' && <ConnectButton sensor={sensor} />}
      <EditSensor sensor={sensor} onDone={reload} />
      <DangerButton
        text="Delete"
        title={`Delete ${sensorName(sensor)}?`}
        consequence="Deletes the sensor and all its data for everyone. This cannot be undone."
        act={remove}
      />
    </>
  );
}

function Lead({ sensor }: { sensor: Sensor }) {
  const parts = [
    sensor.owner ? `shared by ${personName(sensor.owner)}` : 'yours',
    sensor.type === '2' ? 'computed from other sensors' : '',
    sensor.device_type,
    sensor.data_type,
    `id ${sensor.id}`,
  ];
  return <>{parts.filter(Boolean).join(' · ')}</>;
}
