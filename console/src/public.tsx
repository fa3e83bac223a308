import { useEffect, useMemo } from 'preact/hooks';
import { createClient } from '../../client/src';
import { ApiError, ask, ROOT } from './api';
import { Board } from './dashboards/board';
import type { Source } from './dashboards/source';
import { ThemeButton, useWall, Wall } from './dashboards/wall';
import { t } from './language';
import { Loaded } from './ui/page';
import { useOnline } from './use-online';
import { useResource } from './use-resource';

/** Without the cookie: the link is the only right. */
const api = createClient({
  baseUrl: ROOT.replace(/\/$/, ''),
  fetch: (request) => fetch(new Request(request, { credentials: 'omit' })),
  tries: 2,
  longestPause: 2,
});

const REREAD_MS = 60_000;
const token = decodeURIComponent(window.location.pathname.split('/public/')[1]?.replace(/\/$/, '') ?? '');

/** A dashboard by its public link, for readers without an account. */
export function PublicPage() {
  const path = { token };
  const resource = useResource(
    'public',
    async (signal) => (await ask(api.get('/public/{token}', { params: { path }, signal }))).dashboard,
    { everyMs: REREAD_MS },
  );
  const { data, error, reload } = resource;
  const [isWall, showWall] = useWall(new URLSearchParams(window.location.search).has('wall'));
  const source: Source = useMemo(
    () => ({
      key: 'public',
      read: async (tile, signal) =>
        (await ask(api.get('/public/{token}/data', { params: { path, query: { tile } }, signal }))).tile,
      onChanged: reload,
      pictureOf: (tile) => `${ROOT}public/${token}/plan?tile=${tile}`,
    }),
    [reload],
  );
  useEffect(() => {
    document.title = data?.name ?? t('Dashboard');
  }, [data?.name]);
  if (isGone(error)) return <Gone />;
  return (
    <main class="public stack">
      <Offline />
      <header class="head">
        <h1>{data?.name ?? t('Dashboard')}</h1>
        <div class="actions">
          <ThemeButton />
          <button type="button" class="button small-button" onClick={() => showWall(true)}>
            {t('Full screen')}
          </button>
        </div>
      </header>
      <Loaded resource={resource}>
        {({ name, tiles, version }) => (
          <Wall {...{ name, isWall }} onLeave={() => showWall(false)}>
            <Board {...{ tiles, version, source, isWall }} />
          </Wall>
        )}
      </Loaded>
      {data?.tiles.length === 0 && <p class="quiet">{t('This dashboard is empty.')}</p>}
    </main>
  );
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

function Gone() {
  return (
    <main class="welcome">
      <div>
        <h1>{t('This dashboard is not available')}</h1>
        <p class="quiet">{t('The link may be mistyped, or its owner has ended it. Ask them for a new one.')}</p>
      </div>
    </main>
  );
}

function Offline() {
  if (useOnline()) return null;
  return (
    <div class="offline" role="status">
      {t('You are offline. This is the last data received; updates resume when you reconnect.')}
    </div>
  );
}
