import { useState } from 'preact/hooks';
import { all } from '../../api';
import { sensorName } from '../../format';
import { many, t } from '../../language';
import { Action } from '../../ui/action';
import { DialogButton } from '../../ui/dialog';
import { Form } from '../../ui/form';
import { Loaded } from '../../ui/page';
import { PickSensors } from '../../ui/pick-sensors';
import { SensorSearch } from '../../ui/sensor-search';
import { type Resource, useResource } from '../../use-resource';
import { columnsOf, type Row } from './columns';
import type { Sensor } from './load';
import { SensorTable } from './sensor-table';
import { type Found, useFound } from './use-found';

/** The rows of a page; more than these can be searched. */
const SIZE = 10;

interface SensorsInProps {
  /** Unique key of the container. */
  place: string;
  /** The keys of the columns that are shown with the names. */
  keys: readonly string[];
  /** Users can add only their own sensors. */
  ownOnly?: boolean;
  load: (query: { page: number; per_page: number }) => Promise<readonly { id: string }[]>;
  put: (sensors: { id: string }[]) => Promise<unknown>;
  takeOut: (sensorId: string) => Promise<unknown>;
  mayPut: boolean;
  mayTakeOut: (sensor: Sensor) => boolean;
  /** The texts of the buttons and the dialog; `takeOutOne` is for screen readers. */
  words: Record<'open' | 'title' | 'put' | 'list' | 'takeOut', string> & { takeOutOne: (name: string) => string };
}

/** The sensors in a container with their present, to find, add and remove. */
export function SensorsIn(props: SensorsInProps) {
  const { place, load, words, mayPut } = props;
  const inside = useResource(`sensors in ${place}`, async () => new Set((await all(load)).map(({ id }) => id)));
  const [text, setText] = useState('');
  const found = useFound(text);
  const reload = () => {
    inside.reload();
    found.reload();
  };
  return (
    <Loaded resource={inside}>
      {(ids) => (
        <div class="stack">
          <Loaded resource={found}>
            {(data) => <List {...props} {...{ data, found, ids, text, reload }} onText={setText} />}
          </Loaded>
          {mayPut && (
            <div>
              <DialogButton text={words.open} title={words.title}>
                {(close) => <Put {...props} except={[...ids]} reload={reload} close={close} />}
              </DialogButton>
            </div>
          )}
        </div>
      )}
    </Loaded>
  );
}

interface ListProps extends SensorsInProps {
  data: Found;
  found: Resource<Found>;
  ids: ReadonlySet<string>;
  text: string;
  onText: (text: string) => void;
  reload: () => void;
}

function List({ data: { all: everything, sensors, tags }, found, ids, text, onText, ...props }: ListProps) {
  const [page, setPage] = useState(0);
  const [order, setOrder] = useState('name');
  const isInside = ({ id }: Sensor) => ids.has(id);
  const total = everything.filter(isInside).length;
  const shown = sensors.filter(isInside);
  if (total === 0) return <p class="quiet">{t('No sensors yet.')}</p>;
  const change = (next: string) => {
    onText(next);
    setPage(0);
  };
  return (
    <>
      {total > SIZE && (
        <div class="line spread top-aligned">
          <SensorSearch value={text} onValue={change} found={found} />
          <p class="quiet small" role="status">
            {many(total, '{found} of {n} sensor', '{found} of {n} sensors', { found: shown.length })}
          </p>
        </div>
      )}
      <SensorTable
        sensors={shown}
        columns={columnsOf(tags)}
        keys={props.keys}
        after={[{ name: t('Actions'), right: true, cell: (row) => <TakeOut {...props} {...row} /> }]}
        {...{ order, page }}
        onOrder={setOrder}
        onPage={setPage}
        size={SIZE}
      />
    </>
  );
}

type TakeOutProps = Omit<SensorsInProps, 'place'> & Row & { reload: () => void };

function TakeOut({ sensor, takeOut, mayTakeOut, words, reload }: TakeOutProps) {
  if (!mayTakeOut(sensor)) return null;
  return (
    <Action
      kind="quiet-button small-button"
      label={words.takeOutOne(sensorName(sensor))}
      act={() => takeOut(sensor.id).then(reload)}
    >
      {words.takeOut}
    </Action>
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
