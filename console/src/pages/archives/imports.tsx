import { useId, useState } from 'preact/hooks';
import { ApiError, api, ask, type Records, ROOT } from '../../api';
import { formatDate } from '../../format';
import { LANGUAGE, many, type PlainText, t } from '../../language';
import { quantity } from '../../quantity';
import { Action } from '../../ui/action';
import { FileInput } from '../../ui/file-field';
import { Field, Form } from '../../ui/form';
import { Folded, Loaded } from '../../ui/page';
import { Table } from '../../ui/table';
import { useResource } from '../../use-resource';
import { isOver, PROGRESS, StateOf } from './state';

type Import = Records['ImportView'];

/** The imports of the last day, and a form for one more. */
export function Imports() {
  const imports = useResource('imports', (signal) => ask(api.get('/imports', { signal })), PROGRESS);
  const [sent, setSent] = useState(0);
  const onDone = () => {
    setSent(sent + 1);
    imports.reload();
  };
  return (
    <div class="stack">
      <Loaded resource={imports}>
        {({ imports: list }) => list.length > 0 && <List list={list} reload={imports.reload} />}
      </Loaded>
      <NewImport key={sent} onDone={onDone} />
    </div>
  );
}

/** The form stays while the file is sent; the list shows how much of it has arrived. */
function NewImport({ onDone }: { onDone: () => void }) {
  const id = useId();
  const [file, setFile] = useState<File>();
  const [passphrase, setPassphrase] = useState('');
  const submit = async () => {
    if (file) await ask(send(file, passphrase));
    onDone();
  };
  return (
    <Form label={t('Import')} submit={submit} ready={file !== undefined} missing={t('Choose a file')}>
      <div class="field">
        <label for={id}>{t('File of an export')}</label>
        <FileInput id={id} accept=".zip,application/zip" onFile={setFile} />
        <span class="hint" id={`${id}-hint`}>
          {t('The whole file is checked before anything is added. A file with a mistake adds nothing.')}
        </span>
      </div>
      <Field
        label={t('Passphrase')}
        type="password"
        autocomplete="off"
        value={passphrase}
        onValue={setPassphrase}
        hint={`${t('Optional.')} ${t('For secrets that the file has.')}`}
      />
    </Form>
  );
}

/** Sends a file of any size as it is read: the client would keep a copy for a second try. */
async function send(file: File, passphrase: string): Promise<void> {
  const secret = passphrase && { 'X-Passphrase': encodeURIComponent(passphrase) };
  const headers = { 'Content-Type': 'application/zip', 'Accept-Language': LANGUAGE, ...secret };
  const answer = await fetch(`${ROOT}imports`, { method: 'POST', body: file, headers });
  if (!answer.ok) throw new ApiError(answer.status, await answer.json().catch(() => undefined));
}

function List({ list, reload }: { list: readonly Import[]; reload: () => void }) {
  return (
    <Table<Import>
      caption={t('Import')}
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        { name: t('When'), cell: ({ created }) => <span class="nowrap">{formatDate(created)}</span> },
        { name: t('State'), cell: (archive) => <StateOf archive={archive} /> },
        { name: t('What'), cell: (one) => <What item={one} /> },
        { name: t('Actions'), right: true, cell: (one) => <Cancel item={one} onDone={reload} /> },
      ]}
    />
  );
}

function Cancel({ item, onDone }: { item: Import; onDone: () => void }) {
  const { id } = item;
  if (isOver(item)) return null;
  return (
    <Action
      kind="small-button"
      act={async () => {
        await ask(api.delete('/imports/{id}', { params: { path: { id } } }));
        onDone();
      }}
    >
      {t('Cancel')}
    </Action>
  );
}

const KINDS = [
  ['sensors', 'Sensors'],
  ['services', 'Services'],
  ['environments', 'Environments'],
  ['groups', 'Groups'],
  ['dashboards', 'Dashboards'],
  ['rules', 'Rules'],
] as const satisfies readonly (readonly [keyof Import, PlainText])[];

function What({ item }: { item: Import }) {
  const { id, bytes, points, state } = item;
  const counted = KINDS.filter(([kind]) => item[kind].made + item[kind].kept > 0);
  return (
    <>
      <div>
        {quantity(bytes, 'B')}, {many(points, '{n} point', '{n} points')}
      </div>
      {counted.length > 0 && (
        <ul class="small">
          {counted.map(([kind, name]) => (
            <li key={kind}>
              {t(name)}: {t('{made} added, {kept} there already', item[kind])}
            </li>
          ))}
        </ul>
      )}
      {state === 'done' && <Folded title={t('What was not carried over')}>{() => <LeftOut id={id} />}</Folded>}
    </>
  );
}

function LeftOut({ id }: { id: string }) {
  const one = useResource(`import ${id}`, (signal) =>
    ask(api.get('/imports/{id}', { params: { path: { id } }, signal })),
  );
  return (
    <Loaded resource={one}>
      {({ import: { left_out: left = [] } }) => (
        <ul class="small breakable">
          {left.map(({ what, why }) => (
            <li key={`${what} ${why}`}>
              {what}: {why}
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
}
