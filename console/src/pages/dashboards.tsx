import { useState } from 'preact/hooks';
import { KINDS } from '../dashboards/tile-view';
import { many, t } from '../language';
import { go, href } from '../router';
import { DialogButton } from '../ui/dialog';
import { Field, Form } from '../ui/form';
import { Empty, Loaded, Page, Status } from '../ui/page';
import { Table } from '../ui/table';
import { useResource } from '../use-resource';
import { create, type Dashboard, loadDashboards } from './dashboards/load';

/** The user's dashboards. */
export function DashboardsPage() {
  const dashboards = useResource('dashboards', loadDashboards);
  return (
    <Page
      title={t('Dashboards')}
      lead={t('Charts and values side by side, for a screen on the wall or for people without an account.')}
      actions={<NewDashboard />}
    >
      <Loaded resource={dashboards}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t('No dashboards yet')}>
              <p>{t('Create one and add tiles, or pin a chart from the page of a sensor.')}</p>
            </Empty>
          ) : (
            <List list={list} />
          )
        }
      </Loaded>
    </Page>
  );
}

function List({ list }: { list: readonly Dashboard[] }) {
  return (
    <Table<Dashboard>
      caption={t('Dashboards')}
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('Dashboard'),
          cell: ({ id, name }) => (
            <a class="strong breakable" href={href(`/dashboards/${id}`)}>
              {name}
            </a>
          ),
        },
        { name: t('Tiles'), cell: ({ tiles }) => summaryOf(tiles) },
        {
          name: t('Link'),
          cell: (one) =>
            one.public ? <Status kind="warn">{t('public')}</Status> : <span class="quiet">{t('only you')}</span>,
        },
      ]}
    />
  );
}

function summaryOf(tiles: Dashboard['tiles']) {
  if (tiles.length === 0) return <span class="quiet">{t('none yet')}</span>;
  const kinds = [...new Set(tiles.map(({ kind }) => t(KINDS[kind])))].join(', ');
  return (
    <>
      {many(tiles.length, '{n} tile', '{n} tiles')} <span class="quiet small">{kinds}</span>
    </>
  );
}

function NewDashboard() {
  const [name, setName] = useState('');
  return (
    <DialogButton text={t('New dashboard')} title={t('New dashboard')} kind="primary">
      {(close) => (
        <Form
          label={t('Create')}
          onCancel={close}
          submit={async () => {
            const { id } = await create(name);
            go(`/dashboards/${id}?edit=1`);
          }}
        >
          <Field label={t('Name')} value={name} onValue={setName} maxLength={255} required />
        </Form>
      )}
    </DialogButton>
  );
}
