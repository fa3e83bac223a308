import { all, api, ask, type Records } from '../api';
import { useDraft } from '../drafts';
import { LOCALE, t } from '../language';
import { go, href } from '../router';
import { DialogButton } from '../ui/dialog';
import { Field, Form } from '../ui/form';
import { Empty, Loaded, Page } from '../ui/page';
import { Table } from '../ui/table';
import { useResource } from '../use-resource';
import { GREENWICH, Size } from './environment/template';
import { areaOf, readOutline, rectangle, writeOutline } from './environments/geometry';

type Environment = Records['EnvironmentView'];

/** Places, with the sensors in them. */
export function EnvironmentsPage() {
  const environments = useResource('environments', () =>
    all(async (query) => (await ask(api.get('/environments', { params: { query } }))).environments),
  );
  const add = (
    <DialogButton text={t('New environment')} title={t('New environment')} kind="primary">
      {(close) => <NewEnvironment close={close} />}
    </DialogButton>
  );
  return (
    <Page
      title={t('Environments')}
      lead={t('Houses, rooms and fields with their floor plans, and the values of their sensors on them.')}
      actions={add}
    >
      <Loaded resource={environments}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t('No environments yet')}>
              <p>{t('An environment is a place with an outline, and a picture of its floor plan if you have one.')}</p>
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
      caption={t('Environments')}
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t('Environment'),
          cell: ({ id, name }) => (
            <a class="strong" href={href(`/environments/${id}`)}>
              {name}
            </a>
          ),
        },
        { name: t('Floors'), cell: ({ floors }) => (floors === null ? <span class="quiet">–</span> : floors) },
        { name: t('Area'), right: true, cell: ({ gps_outline }) => areaText(gps_outline) },
      ]}
    />
  );
}

const area = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 3 });

/** The area of an outline, in a unit that suits it. */
export function areaText(outline: string): string {
  const metres = areaOf(readOutline(outline));
  if (metres === 0) return t('no outline');
  return metres < 1e6 ? `${area.format(metres)} m²` : `${area.format(metres / 1e6)} km²`;
}

function NewEnvironment({ close }: { close: () => void }) {
  const [name, setName] = useDraft('name', '');
  const [width, setWidth] = useDraft('width', '');
  const [length, setLength] = useDraft('length', '');
  const submit = async () => {
    const hasSize = Number(width) > 0 && Number(length) > 0;
    const gps_outline = hasSize ? writeOutline(rectangle(GREENWICH, Number(width), Number(length))) : undefined;
    const environment = { name, ...(gps_outline && { gps_outline }) };
    const { environment: made } = await ask(api.post('/environments', { body: { environment } }));
    close();
    go(`/environments/${made.id}`);
  };
  return (
    <Form label={t('Create')} submit={submit} onCancel={close}>
      <Field label={t('Name')} value={name} onValue={setName} placeholder={t('Home')} required maxLength={255} />
      <p class="quiet small">
        {t('For a rectangular room, give its size. Any other outline can be drawn later. Both are optional.')}
      </p>
      <Size {...{ width, setWidth, length, setLength }} />
    </Form>
  );
}
