import { useState } from 'preact/hooks';
import { api, ask } from '../api';
import { sensorName } from '../format';
import { go, href } from '../router';
import { DialogButton } from '../ui/dialog';
import { Field, Form, Select } from '../ui/form';
import { Empty, Loaded, Page } from '../ui/page';
import { PickSensors } from '../ui/pick-sensors';
import { Table } from '../ui/table';
import { useResource } from '../use-resource';
import { loadSensors, type Sensor } from './sensors/load';
import { KINDS, kindOf } from './services/kinds';

/** The user's services, which compute sensors from other sensors. */
export function ServicesPage() {
  const services = useResource('services', async () => {
    const sensors = await loadSensors();
    return sensors.filter(({ owner, type, device_type }) => !owner && type === '2' && device_type in KINDS);
  });
  const add = (
    <DialogButton text="New service" title="New service" kind="primary">
      {(close) => <NewService close={close} />}
    </DialogButton>
  );
  return (
    <Page title="Services" lead="Sensors that are computed from other sensors, while data comes in." actions={add}>
      <Loaded resource={services}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="No services yet">
              <p>
                A formula over several sensors, statistics of a rolling window, or states such as “washing” that it
                learns from examples: the result is a sensor like any other.
              </p>
            </Empty>
          ) : (
            <List list={list} />
          )
        }
      </Loaded>
    </Page>
  );
}

function List({ list }: { list: readonly Sensor[] }) {
  return (
    <Table<Sensor>
      caption="Services"
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'Service',
          cell: (sensor) => (
            <a class="strong" href={href(`/services/${sensor.id}`)}>
              {sensorName(sensor)}
            </a>
          ),
        },
        { name: 'Kind', cell: ({ device_type }) => kindOf(device_type).title },
        {
          name: 'Result',
          right: true,
          cell: (sensor) => (
            <a href={href(`/sensors/${sensor.id}`)} aria-label={`Chart of ${sensorName(sensor)}`}>
              chart
            </a>
          ),
        },
      ]}
    />
  );
}

function NewService({ close }: { close: () => void }) {
  const [kind, setKind] = useState('math_service');
  const [name, setName] = useState('');
  const [sensors, setSensors] = useState<readonly string[]>([]);
  const submit = async () => {
    let id = '';
    for (const sensor of sensors) {
      const service = id ? { id } : { name: kind as 'math_service' }; // one of the choices
      const body = { service, ...(!id && { sensor: { name } }) };
      id = (await ask(api.post('/sensors/{id}/services', { params: { path: { id: sensor } }, body }))).service.id;
    }
    if (!id) throw new Error('Choose at least one sensor that feeds it.');
    close();
    go(`/services/${id}`);
  };
  return (
    <Form label="Create" submit={submit} onCancel={close}>
      <Select
        label="Kind"
        value={kind}
        onValue={setKind}
        options={Object.entries(KINDS).map(([key, { title, does }]) => [key, `${title}: ${does}`] as const)}
      />
      <Field label="Name of the result" value={name} onValue={setName} placeholder="Indoor minus outdoor" required />
      <PickSensors label="Fed by" chosen={sensors} onChosen={setSensors} />
    </Form>
  );
}
