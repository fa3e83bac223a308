import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { sensorName } from '../../format';
import { go, href } from '../../router';
import { DangerButton, DialogButton } from '../../ui/dialog';
import { Loaded, Page } from '../../ui/page';
import { useResource } from '../../use-resource';
import { EditSensor } from './edit';
import { Upload } from './upload';

type Sensor = Records['OwnedSensorView'];

const TABS = [
  ['chart', 'Chart', ''],
  ['data', 'Data', '/data'],
  ['about', 'About', '/about'],
] as const;

/** The head of all pages of a sensor. */
export function SensorFrame({
  id,
  tab,
  children,
}: {
  id: string;
  tab: (typeof TABS)[number][0];
  children: (sensor: Sensor, reload: () => void) => ComponentChildren;
}) {
  const [uploads, setUploads] = useState(0);
  const sensor = useResource(`sensor ${id}`, async (signal) => {
    const { sensor: found } = await ask(api.get('/sensors/{id}', { params: { path: { id } }, signal }));
    return found;
  });
  return (
    <Page
      title={sensor.data ? sensorName(sensor.data) : 'Sensor'}
      crumb={{ path: '/', name: 'Sensors' }}
      lead={sensor.data && <Lead sensor={sensor.data} />}
      actions={
        sensor.data &&
        !sensor.data.owner && (
          <>
            <DialogButton text="Upload" title="Upload data">
              {(close) => (
                <Upload
                  id={id}
                  close={() => {
                    close();
                    setUploads(uploads + 1);
                  }}
                />
              )}
            </DialogButton>
            <EditSensor sensor={sensor.data} onDone={sensor.reload} />
            <DangerButton
              text="Delete"
              title={`Delete ${sensorName(sensor.data)}?`}
              consequence="The sensor goes with all its data and its connections, for everybody. This cannot be taken back."
              act={async () => {
                await ask(api.delete('/sensors/{id}', { params: { path: { id } } }));
                go('/');
              }}
            />
          </>
        )
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

function Lead({ sensor }: { sensor: Sensor }) {
  const parts = [
    sensor.owner ? `shared by ${sensor.owner.username}` : 'yours',
    sensor.type === '2' ? 'computed from other sensors' : '',
    sensor.device_type,
    sensor.data_type,
    `id ${sensor.id}`,
  ];
  return <>{parts.filter(Boolean).join(' · ')}</>;
}
