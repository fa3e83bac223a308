import { useState } from 'preact/hooks';
import { api, ask, type Records, ROOT } from '../../api';
import { formatDate } from '../../format';
import { many, t } from '../../language';
import { digestOf } from '../../session';
import { Action } from '../../ui/action';
import { DialogButton } from '../../ui/dialog';
import { Check, Field, Form } from '../../ui/form';
import { Loaded } from '../../ui/page';
import { Table } from '../../ui/table';
import { useResource } from '../../use-resource';
import { isOver, PROGRESS, StateOf } from './state';

type Export = Records['ExportView'];

/** The exports of the last day, and a button for one more. */
export function Exports() {
  const exports = useResource('exports', (signal) => ask(api.get('/exports', { signal })), PROGRESS);
  return (
    <div class="stack">
      <Loaded resource={exports}>
        {({ exports: list }) => (
          <>
            {list.length > 0 && <List list={list} reload={exports.reload} />}
            {list.every(isOver) && (
              <div>
                <DialogButton text={t('Export everything')} title={t('Export everything')} kind="primary">
                  {(close) => <NewExport close={close} onDone={exports.reload} />}
                </DialogButton>
              </div>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

function List({ list, reload }: { list: readonly Export[]; reload: () => void }) {
  return (
    <Table<Export>
      caption={t('Export')}
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        { name: t('When'), cell: ({ created }) => <span class="nowrap">{formatDate(created)}</span> },
        { name: t('State'), cell: (archive) => <StateOf archive={archive} /> },
        {
          name: t('What'),
          cell: ({ sensors, points }) =>
            `${many(sensors, '{n} sensor', '{n} sensors')}, ${many(points, '{n} point', '{n} points')}`,
        },
        { name: t('Actions'), right: true, cell: (one) => <Actions item={one} onDone={reload} /> },
      ]}
    />
  );
}

function Actions({ item, onDone }: { item: Export; onDone: () => void }) {
  const { id, file } = item;
  const remove = async () => {
    await ask(api.delete('/exports/{id}', { params: { path: { id } } }));
    onDone();
  };
  return (
    <div class="line">
      {file !== null && (
        <a class="button small-button" href={`${ROOT}exports/${id}/file${new URL(file).search}`} download>
          {t('Download')}
        </a>
      )}
      {(file !== null || !isOver(item)) && (
        <Action act={remove} kind="small-button">
          {file === null ? t('Cancel') : t('Delete')}
        </Action>
      )}
    </div>
  );
}

/** Secrets leave only with the password, encrypted. */
function NewExport({ close, onDone }: { close: () => void; onDone: () => void }) {
  const [isSecret, setSecret] = useState(false);
  const [password, setPassword] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const submit = async () => {
    const secrets = isSecret && { secrets: { password: digestOf(password), passphrase } };
    await ask(api.post('/exports', { body: { export: { ...secrets } } }));
    onDone();
    close();
  };
  return (
    <Form label={t('Export')} submit={submit} onCancel={close}>
      <Check
        label={t('With the secrets of notifications')}
        hint={t(
          'Values of headers and signing secrets, encrypted. Without them they are entered again after an import.',
        )}
        checked={isSecret}
        onChecked={setSecret}
      />
      {isSecret && (
        <>
          <Field
            label={t('Current password')}
            type="password"
            autocomplete="current-password"
            value={password}
            onValue={setPassword}
            required
          />
          <Field
            label={t('Passphrase')}
            type="password"
            autocomplete="off"
            value={passphrase}
            onValue={setPassphrase}
            hint={t('At least 12 characters. An import of the file asks for it, and nobody can recover it.')}
            pattern=".{12,}"
            title={t('At least 12 characters.')}
            required
          />
        </>
      )}
    </Form>
  );
}
