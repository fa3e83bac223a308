import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { personName, sensorName } from '../../format';
import { t } from '../../language';
import { go, href } from '../../router';
import { DangerButton, DialogButton } from '../../ui/dialog';
import { Loaded, Page } from '../../ui/page';
import { useResource } from '../../use-resource';
import { ConnectButton } from '../connect/connect-button';
import { Upload } from '../forms';
import { valuesText } from '../sensors/value-kinds';
import { titleOf } from '../services/kinds';
import { EditSensor } from './edit';
import { useOrigin } from './origin';

type Sensor = Records['OwnedSensorView'];

const TABS = [
  ['chart', t('Chart'), ''],
  ['data', t('Data'), '/data'],
  ['about', t('About'), '/about'],
] as const;

interface FrameProps {
  id: string;
  tab: (typeof TABS)[number][0];
  onUpload?: () => void;
  children: (sensor: Sensor, reload: () => void) => ComponentChildren;
}

/** The head of all pages of a sensor. */
export function SensorFrame({ id, tab, onUpload, children }: FrameProps) {
  const [uploads, setUploads] = useState(0);
  const sensor = useResource(`sensor ${id}`, async (signal) => {
    const { sensor: found } = await ask(api.get('/sensors/{id}', { params: { path: { id } }, signal }));
    return found;
  });
  const uploaded = () => {
    setUploads(uploads + 1);
    onUpload?.();
  };
  return (
    <Page
      title={sensor.data ? sensorName(sensor.data) : t('Sensor')}
      crumb={{ path: '/sensors', name: t('Sensors') }}
      lead={sensor.data && <Lead sensor={sensor.data} />}
      actions={sensor.data && <Buttons sensor={sensor.data} reload={sensor.reload} onUpload={uploaded} />}
    >
      <Loaded resource={sensor}>
        {(found) => (
          <>
            <nav class="tabs" aria-label={t('Parts of the sensor')}>
              {TABS.map(([key, name, path]) => (
                <a key={key} href={href(`/sensors/${id}${path}`)} aria-current={key === tab ? 'page' : undefined}>
                  {name}
                </a>
              ))}
            </nav>
            <div class="stack parts" key={uploads}>
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
        text={t('Remove')}
        title={t('Remove {sensor} from your sensors?', { sensor: sensorName(sensor) })}
        consequence={t('{person} keeps it. Sensors that a group shares with you stay while you are a member.', {
          person: personName(owner),
        })}
        act={remove}
      />
    );
  }
  return (
    <>
      <DialogButton text={t('Upload')} title={t('Upload data')}>
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
        text={t('Delete')}
        title={t('Delete {sensor}?', { sensor: sensorName(sensor) })}
        consequence={t('Deletes the sensor and all its data for everyone. This cannot be undone.')}
        act={remove}
      />
    </>
  );
}

function Lead({ sensor }: { sensor: Sensor }) {
  const series = useOrigin(sensor);
  const parts = [
    sensor.owner ? t('shared by {person}', { person: personName(sensor.owner) }) : t('yours|sensor'),
    sensor.type === '2' ? t('computed from other sensors') : '',
    titleOf(sensor.device_type),
    valuesText(sensor.data_type),
    t('id {id}', { id: sensor.id }),
    ...(series.data ?? []).map(({ name }) => name).filter((name) => name !== sensor.name),
  ];
  return <>{parts.filter(Boolean).join(' · ')}</>;
}
