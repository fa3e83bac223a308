import { useState } from 'preact/hooks';
import { all, type Records } from '../api';
import { personName, sensorName } from '../format';
import { t } from '../language';
import { href } from '../router';
import { useResource } from '../use-resource';
import { Action } from './action';
import { DialogButton } from './dialog';
import { Form } from './form';
import { Loaded } from './page';
import { PickSensors } from './pick-sensors';

type Sensor = Records['ListedSensorView'];

interface SensorsInProps {
  /** Unique key of the container. */
  place: string;
  /** Users can add only their own sensors, and see the owners of the others. */
  ownOnly?: boolean;
  load: (query: { page: number; per_page: number }) => Promise<readonly (Sensor | Records['SensorIdView'])[]>;
  put: (sensors: { id: string }[]) => Promise<unknown>;
  takeOut: (sensorId: string) => Promise<unknown>;
  mayPut: boolean;
  mayTakeOut: (sensor: Sensor) => boolean;
  /** The texts of the buttons and the dialog; `takeOutOne` is for screen readers. */
  words: Record<'open' | 'title' | 'put' | 'list' | 'takeOut', string> & { takeOutOne: (name: string) => string };
}

/** The sensors in a container, to add and remove. */
export function SensorsIn(props: SensorsInProps) {
  const { place, load, words, mayPut } = props;
  const sensors = useResource(`sensors in ${place}`, () =>
    all(async (query) => (await load(query)).filter((one): one is Sensor => 'name' in one)),
  );
  return (
    <Loaded resource={sensors}>
      {(list) => (
        <div class="stack">
          {list.length === 0 && <p class="quiet">{t('No sensors yet.')}</p>}
          <ul class="stack tight">
            {list.map((sensor) => (
              <Inside key={sensor.id} {...props} sensor={sensor} reload={sensors.reload} />
            ))}
          </ul>
          {mayPut && (
            <div>
              <DialogButton text={words.open} title={words.title}>
                {(close) => <Put {...props} except={list.map(({ id }) => id)} reload={sensors.reload} close={close} />}
              </DialogButton>
            </div>
          )}
        </div>
      )}
    </Loaded>
  );
}

type InsideProps = SensorsInProps & { sensor: Sensor; reload: () => void };

function Inside({ sensor, ownOnly, takeOut, mayTakeOut, words, reload }: InsideProps) {
  const name = sensorName(sensor);
  return (
    <li class="line spread">
      <span>
        <a class="strong" href={href(`/sensors/${sensor.id}`)}>
          {name}
        </a>
        {ownOnly && sensor.owner && <span class="quiet"> {t('by {name}', { name: personName(sensor.owner) })}</span>}
      </span>
      {mayTakeOut(sensor) && (
        <Action
          kind="quiet-button small-button"
          label={words.takeOutOne(name)}
          act={() => takeOut(sensor.id).then(reload)}
        >
          {words.takeOut}
        </Action>
      )}
    </li>
  );
}

type PutProps = SensorsInProps & { except: string[]; reload: () => void; close: () => void };

function Put({ ownOnly, put, words, except, reload, close }: PutProps) {
  const [ids, setIds] = useState<readonly string[]>([]);
  const submit = async () => {
    await put(ids.map((id) => ({ id })));
    reload();
    close();
  };
  return (
    <Form label={words.put} submit={submit} onCancel={close}>
      <PickSensors label={words.list} mine={ownOnly} except={except} chosen={ids} onChosen={setIds} />
    </Form>
  );
}
