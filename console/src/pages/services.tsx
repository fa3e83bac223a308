import { useState } from 'preact/hooks';
import { api, ask } from '../api';
import { t } from '../language';
import { go, href } from '../router';
import { DialogButton } from '../ui/dialog';
import { Field, Form, Select } from '../ui/form';
import { Empty, Loaded, Page } from '../ui/page';
import { PickSensors } from '../ui/pick-sensors';
import { Table } from '../ui/table';
import { useResource } from '../use-resource';
import { fullName } from './sensors/differences';
import { loadSensors, type Sensor } from './sensors/load';
import { checkInputs } from './services/inputs';
import { KINDS, titleOf } from './services/kinds';

/** The user's services, which compute sensors from other sensors. */
export function ServicesPage() {
  const services = useResource('services', async () => {
    const sensors = await loadSensors();
    return sensors.filter(({ owner, type, device_type }) => !owner && type === '2' && device_type in KINDS);
  });
  const add = (
    <DialogButton text={t('New service')} title={t('New service')} kind="primary">
      {(close) => <NewService close={close} />}
    </DialogButton>
  );
  return (
    <Page title={t('Services')} lead={t('Sensors that are computed from other sensors as data arrives.')} actions={add}>
      <Loaded resource={services}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t('No services yet')}>
              <p>
                {t(
                  'A formula over several sensors, statistics over a rolling window, or states such as “washing” that are learned from examples: the result is a sensor like any other.',
                )}
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
      caption={t('Services')}
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('Service'),
          cell: (sensor) => (
            <a class="strong" href={href(`/services/${sensor.id}`)}>
              {fullName(sensor)}
            </a>
          ),
        },
        { name: t('Kind'), cell: ({ device_type }) => titleOf(device_type) },
        {
          name: t('Result'),
          right: true,
          cell: (sensor) => (
            <a href={href(`/sensors/${sensor.id}`)} aria-label={t('Chart of {name}', { name: fullName(sensor) })}>
              {t('chart')}
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
    await checkInputs(kind, sensors);
    let id = '';
    for (const sensor of sensors) {
      const service = id ? { id } : { name: kind as 'math_service' }; // one of the choices
      const body = { service, ...(!id && { sensor: { name } }) };
      id = (await ask(api.post('/sensors/{id}/services', { params: { path: { id: sensor } }, body }))).service.id;
    }
    close();
    go(`/services/${id}`);
  };
  return (
    <Form label={t('Create')} submit={submit} onCancel={close}>
      <Select
        label={t('Kind')}
        value={kind}
        onValue={setKind}
        options={Object.entries(KINDS).map(([key, { title }]) => [key, t(title)] as const)}
        hint={KINDS[kind] && t(KINDS[kind].does)}
      />
      <Field
        label={t('Name of the result')}
        value={name}
        onValue={setName}
        placeholder={t('Indoor minus outdoor')}
        required
      />
      <PickSensors label={t('Fed by')} chosen={sensors} onChosen={setSensors} />
    </Form>
  );
}
