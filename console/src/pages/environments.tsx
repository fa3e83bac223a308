import { useState } from 'preact/hooks';
import { all, api, ask, type Records } from '../api';
import { LOCALE } from '../language';
import { go, href } from '../router';
import { DialogButton } from '../ui/dialog';
import { Field, Form } from '../ui/form';
import { Empty, Loaded, Page } from '../ui/page';
import { Table } from '../ui/table';
import { useResource } from '../use-resource';
import { areaOf, readOutline } from './environments/geometry';

type Environment = Records['EnvironmentView'];

/** Places, with the sensors in them. */
export function EnvironmentsPage() {
  const environments = useResource('environments', () =>
    all(async (query) => (await ask(api.get('/environments', { params: { query } }))).environments),
  );
  const add = (
    <DialogButton text="New environment" title="New environment" kind="primary">
      {(close) => <NewEnvironment close={close} />}
    </DialogButton>
  );
  return (
    <Page title="Environments" lead="Houses, rooms and fields, drawn to scale." actions={add}>
      <Loaded resource={environments}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="No environments yet">
              <p>An environment is a place with an outline. Sensors and other places are put into it.</p>
            </Empty>
          ) : (
            <List list={list} />
          )
        }
      </Loaded>
    </Page>
  );
}

function List({ list }: { list: readonly Environment[] }) {
  return (
    <Table<Environment>
      caption="Environments"
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'Environment',
          cell: ({ id, name }) => (
            <a class="strong" href={href(`/environments/${id}`)}>
              {name}
            </a>
          ),
        },
        { name: 'Floors', cell: ({ floors }) => (floors === null ? <span class="quiet">–</span> : floors) },
        { name: 'Area', right: true, cell: ({ gps_outline }) => areaText(gps_outline) },
      ]}
    />
  );
}

const area = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 3 });

/** The area of an outline, in a unit that suits it. */
export function areaText(outline: string): string {
  const metres = areaOf(readOutline(outline));
  if (metres === 0) return 'no outline';
  return metres < 1e6 ? `${area.format(metres)} m²` : `${area.format(metres / 1e6)} km²`;
}

function NewEnvironment({ close }: { close: () => void }) {
  const [name, setName] = useState('');
  const [floors, setFloors] = useState('');
  const submit = async () => {
    const environment = { name, ...(floors && { floors: Number(floors) }) };
    const { environment: made } = await ask(api.post('/environments', { body: { environment } }));
    close();
    go(`/environments/${made.id}`);
  };
  return (
    <Form label="Create" submit={submit} onCancel={close}>
      <Field label="Name" value={name} onValue={setName} placeholder="Home" required />
      <Field label="Floors" type="number" min={0} value={floors} onValue={setFloors} hint="Optional." />
    </Form>
  );
}
