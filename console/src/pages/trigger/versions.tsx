import { useState } from 'preact/hooks';
import { all, api, ask, type Records } from '../../api';
import { formatDate } from '../../format';
import { t } from '../../language';
import { DialogButton } from '../../ui/dialog';
import { Form } from '../../ui/form';
import { Loaded } from '../../ui/page';
import { say } from '../../ui/toast';
import { useResource } from '../../use-resource';
import { KeepAlerts } from './keep-alerts';
import { ruleOf } from './rule';
import { alertsOf } from './save';
import { changeText } from './words';

type Version = Records['TriggerVersionView'];

interface VersionsProps {
  id: string;
  /** The present version. */
  version: number;
  /** The number of open alerts. */
  open: number;
  onRestored: (trigger: Records['TriggerView']) => void;
}

/** The versions of a trigger, newest first, with what each changed. */
export function EarlierVersions(props: VersionsProps) {
  const { id, version } = props;
  const versions = useResource(`versions ${id} ${version}`, (signal) =>
    all(
      async (query) =>
        (await ask(api.get('/triggers/{id}/versions', { params: { path: { id }, query }, signal }))).versions,
    ),
  );
  return (
    <Loaded resource={versions}>
      {(list) =>
        list.length < 2 ? (
          <p class="quiet">{t('There is no earlier version yet.')}</p>
        ) : (
          <ol class="stack">
            {list.map((one, at) => (
              <li key={one.version} class="line spread">
                <Changes version={one} before={list[at + 1]} />
                {at === 0 ? (
                  <span class="quiet small">{t('In force')}</span>
                ) : (
                  <RestoreButton {...props} restored={one} />
                )}
              </li>
            ))}
          </ol>
        )
      }
    </Loaded>
  );
}

/** Who changed what. The version before may no longer be stored. */
function Changes({ version, before }: { version: Version; before: Version | undefined }) {
  const after = ruleOf(version.trigger);
  const old = before?.version === version.version - 1 ? ruleOf(before.trigger) : undefined;
  return (
    <div class="breakable">
      <strong>{formatDate(version.date)}</strong> <span class="quiet">{authorOf(version)}</span>
      {version.changed.length === 0 && <div class="small quiet">{t('First version')}</div>}
      <ul class="small">
        {version.changed.map((field) => (
          <li key={field}>{changeText(field, old, after)}</li>
        ))}
      </ul>
    </div>
  );
}

function authorOf({ by }: Version): string {
  return by === 'session' ? t('you') : by;
}

function RestoreButton({ id, open, onRestored, restored }: VersionsProps & { restored: Version }) {
  const [keep, setKeep] = useState(true);
  const date = formatDate(restored.date);
  const restore = async () => {
    const path = { id, version: String(restored.version) };
    const body = { episodes: keep ? ('keep' as const) : ('end' as const) };
    const edited = await ask(api.post('/triggers/{id}/versions/{version}/restore', { params: { path }, body }));
    say(`${t('The rule of {date} is restored.', { date })} ${alertsOf(edited)}`);
    onRestored(edited.trigger);
  };
  return (
    <DialogButton
      text={t('Restore')}
      label={t('Restore the version of {date}', { date })}
      title={t('Restore the version of {date}?', { date })}
      kind="small-button"
    >
      {(close) => (
        <Form
          label={t('Restore')}
          onCancel={close}
          submit={async () => {
            await restore();
            close();
          }}
        >
          <p>
            {t('Its rule holds again, as a new version. Notifications and sensors chosen by hand stay as they are.')}
          </p>
          <KeepAlerts open={open} keep={keep} onKeep={setKeep} />
        </Form>
      )}
    </DialogButton>
  );
}
