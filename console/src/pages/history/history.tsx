import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { formatDate } from '../../format';
import { type PlainText, t } from '../../language';
import { DownloadCsv } from '../../ui/download-csv';
import { labelOf } from '../../ui/field-names';
import { Choices } from '../../ui/form';
import { Empty, Loaded } from '../../ui/page';
import { Pages, Table } from '../../ui/table';
import { useResource } from '../../use-resource';
import { deedOf } from './words';

type Entry = Records['AuditRecordView'];

const SIZE = 25;

/** What happened in the account, or in a group: who changed what, newest first. */
export function History({ groupId }: { groupId?: string }) {
  const [page, setPage] = useState(0);
  const [shown, setShown] = useState('');
  const query = {
    ...(groupId !== undefined && { group_id: groupId }),
    ...(shown === 'refused' && { refused: true }),
    ...(shown === 'login' && { subject_kind: 'session' }),
  };
  const records = useResource(`history ${JSON.stringify(query)} ${page}`, (signal) =>
    ask(api.get('/audit', { params: { query: { ...query, page, per_page: SIZE, total: true } }, signal })),
  );
  const choose = (value: string) => {
    setShown(value);
    setPage(0);
  };
  return (
    <div class="stack">
      <div class="line spread">
        {groupId === undefined ? (
          <Choices
            label={t('Shown')}
            value={shown}
            options={[
              ['', t('All')],
              ['login', t('Sign-ins')],
              ['refused', t('Refused')],
            ]}
            onValue={choose}
          />
        ) : (
          <span />
        )}
        <DownloadCsv path="audit" query={query} />
      </div>
      <Loaded resource={records}>
        {({ records: list, total }) =>
          list.length === 0 ? (
            <Empty title={t('Nothing found')} />
          ) : (
            <>
              <List list={list} />
              <Pages page={page} size={SIZE} count={list.length} total={total} onPage={setPage} />
            </>
          )
        }
      </Loaded>
    </div>
  );
}

function List({ list }: { list: readonly Entry[] }) {
  return (
    <Table<Entry>
      caption={t('History')}
      rows={list}
      keyOf={({ sequence }) => String(sequence)}
      columns={[
        { name: t('When'), cell: ({ date }) => <span class="nowrap">{formatDate(date)}</span> },
        { name: t('What'), cell: (entry) => <What entry={entry} /> },
        { name: t('Who'), cell: (entry) => <Who entry={entry} /> },
      ]}
    />
  );
}

/** More fields unfold. */
const MOST_FIELDS = 4;

/** The operation has its name in the API, by which programs filter, as a title. */
function What({ entry }: { entry: Entry }) {
  const { action, refused, times, changed, references } = entry;
  const fields = Object.entries(changed);
  const others = fields.slice(MOST_FIELDS);
  return (
    <div class="breakable">
      <strong title={action}>{deedOf(entry)}</strong> {nameOf(entry)}
      {refused !== null && (
        <div class="small">
          {t('Refused')} ({refused}){times > 1 && `, ${t('{n} times', { n: times })}`}
        </div>
      )}
      <Fields fields={fields.slice(0, MOST_FIELDS)} references={references} />
      {others.length > 0 && (
        <details class="small">
          <summary>{t('and {n} more', { n: others.length })}</summary>
          <Fields fields={others} references={references} />
        </details>
      )}
    </div>
  );
}

function nameOf({ subject, references }: Entry): string | null | undefined {
  const name = subject?.name ?? references.find(({ field }) => field === 'subject')?.name;
  return name ?? (subject?.id && `#${subject.id}`);
}

interface FieldsProps extends Pick<Entry, 'references'> {
  fields: readonly [field: string, values: readonly unknown[]][];
}

function Fields({ fields, references }: FieldsProps) {
  if (fields.length === 0) return null;
  return (
    <ul class="small">
      {fields.map(([field, [before, after]]) => {
        const names = new Map(references.flatMap((one) => (one.field === field ? [[one.id, one.name]] : [])));
        return (
          <li key={field}>
            {fieldText(field, names)}: {changeText(before, after, names)}
          </li>
        );
      })}
    </ul>
  );
}

/** Things that the reader sees no longer, or elsewhere, have only their ids. */
type Names = ReadonlyMap<unknown, unknown>;

/** `users/10/see_alerts` is a field of an item of a list. */
function fieldText(path: string, names: Names): string {
  const [list = '', item = '', field] = /^([^/]+)\/(.+)\/([^/]+)$/.exec(path)?.slice(1) ?? [path];
  return field === undefined ? labelOf(list) : `${labelOf(list)}, ${names.get(item) ?? item}, ${labelOf(field)}`;
}

/** Lists have what was removed and what was added. A new thing has only its values. */
function changeText(before: unknown, after: unknown, names: Names): string {
  if (before === null) return valueText(after, names);
  if (!Array.isArray(before) || !Array.isArray(after))
    return `${valueText(before, names)} → ${valueText(after, names)}`;
  const named = (sign: string) => (one: unknown) => `${sign} ${valueText(one, names)}`;
  return [...before.map(named('−')), ...after.map(named('+'))].join(', ');
}

function valueText(value: unknown, names: Names): string {
  if (value === null) return '–';
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  return typeof value === 'number' && value > 1e9 ? formatDate(value) : String(names.get(value) ?? value);
}

const MEANS: Readonly<Record<Entry['by']['kind'], PlainText>> = {
  session: 'Session',
  key: 'Key',
  application: 'Application',
  operator: 'Operator',
  visitor: 'without a sign-in',
  mqtt_source: 'MQTT source',
  platform: 'Deletion of the account',
};

function Who({ entry: { who, by, address } }: { entry: Entry }) {
  const means = [t(MEANS[by.kind]), by.name, by.rule_set, address].filter(Boolean);
  return (
    <>
      {who && (who.username ?? t('User {id}', { id: who.id }))}
      <div class="small quiet">{means.join(' · ')}</div>
    </>
  );
}
