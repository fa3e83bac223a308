import { api, ask, ROOT } from '../../api';
import { t } from '../../language';
import { Action } from '../../ui/action';
import { CopyButton } from '../../ui/copy';
import { DangerButton, DialogButton } from '../../ui/dialog';
import type { Dashboard } from './load';

/** Makes, shows and ends the public link of a dashboard. */
export function ShareButton({ dashboard, reload }: { dashboard: Dashboard; reload: () => void }) {
  const path = { id: dashboard.id };
  const link = `${ROOT}console/public/${dashboard.public}`;
  return (
    <DialogButton text={dashboard.public ? t('Public link') : t('Share')} title={t('Public link')}>
      {(close) => (
        <div class="stack">
          <p>
            {t(
              'Anyone with the link sees what the tiles show: names, values, states and alerts of your sensors, without signing in. Sensors that others share with you are left out.',
            )}
          </p>
          {dashboard.public && (
            <>
              <Link to={link} />
              <p>{t('For a screen on the wall, which it fills:')}</p>
              <Link to={`${link}?wall`} />
            </>
          )}
          <div class="actions">
            {dashboard.public ? (
              <DangerButton
                text={t('End the link')}
                title={t('End the link?')}
                consequence={t('The link stops working at once, for everyone. A new link will be a different one.')}
                act={async () => {
                  await ask(api.delete('/dashboards/{id}/public', { params: { path } }));
                  reload();
                }}
              />
            ) : (
              <Action
                kind="primary"
                act={async () => {
                  await ask(api.post('/dashboards/{id}/public', { params: { path } }));
                  reload();
                }}
              >
                {t('Create a public link')}
              </Action>
            )}
            <button type="button" class="button quiet-button" onClick={close}>
              {t('Close')}
            </button>
          </div>
        </div>
      )}
    </DialogButton>
  );
}

function Link({ to }: { to: string }) {
  return (
    <div class="line">
      <a class="mono breakable" href={to} target="_blank" rel="noreferrer">
        {to}
      </a>
      <CopyButton text={to} label={t('Copy the link')} />
    </div>
  );
}
