import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { api, ask, ROOT } from '../api';
import { useLivePoints } from '../chart/live';
import { Board } from '../dashboards/board';
import type { Source, TileSensor } from '../dashboards/source';
import { useWall, Wall } from '../dashboards/wall';
import { useFirings } from '../firing-stream';
import { t } from '../language';
import { go, href, setQuery, usePlace } from '../router';
import { DangerButton } from '../ui/dialog';
import { Empty, Loaded, Page } from '../ui/page';
import { type Resource, useResource } from '../use-resource';
import { type Dashboard, loadDashboard } from './dashboards/load';
import { ShareButton } from './dashboards/share';
import { DashboardEditor } from './forms';

/** How many sensors a stream takes. */
const MOST_LIVE = 100;
const SETTLE_MS = 500;

/** A dashboard: to look at, on a wall, or to arrange. */
export function DashboardPage({ id }: { id: string }) {
  const resource = useResource(`dashboard ${id}`, (signal) => loadDashboard(id, signal));
  const { data } = resource;
  if (data) return <Shown dashboard={data} reload={resource.reload} />;
  return (
    <Page title={t('Dashboard')} crumb={CRUMB}>
      <Loaded resource={resource as Resource<never>}>{() => null}</Loaded>
    </Page>
  );
}

const CRUMB = { path: '/dashboards', name: t('Dashboards') };

function Shown({ dashboard, reload }: { dashboard: Dashboard; reload: () => void }) {
  const { id, name, tiles, version } = dashboard;
  const { query } = usePlace();
  const isEdited = query.has('edit');
  const edit = (on: boolean) => setQuery({ edit: on ? '1' : undefined });
  const source = useSource(dashboard, reload);
  const [isWall, showWall] = useWall(query.has('wall'));
  if (isEdited) {
    const close = () => {
      edit(false);
      reload();
    };
    return <DashboardEditor key={id} {...{ dashboard, source, close }} />;
  }
  return (
    <Page
      title={name}
      crumb={CRUMB}
      actions={
        <>
          <button type="button" class="button" onClick={() => showWall(true)}>
            {t('Full screen')}
          </button>
          <ShareButton dashboard={dashboard} reload={reload} />
          <DeleteButton dashboard={dashboard} />
          <button type="button" class="button primary" onClick={() => edit(true)}>
            {t('Edit')}
          </button>
        </>
      }
    >
      {tiles.length > 0 ? (
        <Wall {...{ name, isWall }} onLeave={() => showWall(false)}>
          <Board {...{ tiles, version, source, isWall }} />
        </Wall>
      ) : (
        <Empty title={t('No tiles yet')}>
          <button type="button" class="button primary" onClick={() => edit(true)}>
            {t('Add tiles')}
          </button>
        </Empty>
      )}
    </Page>
  );
}

function DeleteButton({ dashboard: { id, name } }: { dashboard: Dashboard }) {
  return (
    <DangerButton
      text={t('Delete')}
      title={t('Delete “{name}”?', { name })}
      consequence={t('Deletes the dashboard and its public link. The sensors and their data stay.')}
      act={async () => {
        await ask(api.delete('/dashboards/{id}', { params: { path: { id } } }));
        go('/dashboards');
      }}
    />
  );
}

/** The data of the user's own dashboard: one stream of points for all tiles, and the stream of firings of every page. */
function useSource({ id }: Dashboard, reload: () => void): Source {
  const listeners = useRef(new Set<{ sensors: readonly string[]; act: () => void }>());
  const [streamed, noteSensors] = useSettledSensors();
  const notify = (isFor: (sensors: readonly string[]) => boolean) => {
    for (const { sensors, act } of listeners.current) if (isFor(sensors)) act();
  };
  useLivePoints(streamed, true, {
    onPoint: ({ sensor_id }) => notify((sensors) => sensors.includes(sensor_id)),
    onGap: () => notify((sensors) => sensors.length > 0),
  });
  useFirings(() => notify((sensors) => sensors.length === 0));
  return useMemo(
    () => ({
      key: id,
      read: async (tile, signal) => {
        const init = { params: { path: { id }, query: { tile } }, signal };
        const data = (await ask(api.get('/dashboards/{id}/data', init))).tile;
        noteSensors(data.sensors);
        return data;
      },
      onChanged: reload,
      listen: (sensors, act) => {
        const listener = { sensors, act };
        listeners.current.add(listener);
        return () => listeners.current.delete(listener);
      },
      pictureOf: (tile) => `${ROOT}dashboards/${id}/plan?tile=${tile}`,
      linkTo: href,
    }),
    [id, reload],
  );
}

/**
 * The available sensors of all tiles, for the stream, and a function that adds the sensors of one tile. The platform
 * refuses a stream that names an unavailable sensor. Tiles load one after another, so the list waits a moment.
 */
function useSettledSensors(): [ids: readonly string[], note: (sensors: readonly TileSensor[]) => void] {
  const [ids, setIds] = useState<readonly string[]>([]);
  const known = useRef(new Map<string, boolean>());
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const note = useCallback((sensors: readonly TileSensor[]) => {
    for (const { id, available, last } of sensors) if (id && (last || !available)) known.current.set(id, available);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const available = [...known.current].filter(([, isAvailable]) => isAvailable).map(([id]) => id);
      setIds(available.sort().slice(0, MOST_LIVE));
    }, SETTLE_MS);
  }, []);
  return [ids, note];
}
