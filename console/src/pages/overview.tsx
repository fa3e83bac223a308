import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { useFirings } from '../firing-stream';
import { formatCount } from '../format';
import { JoinRequests } from '../join-requests';
import { many, t } from '../language';
import { href } from '../router';
import { tagsOf } from '../search/find';
import { Loaded, Page, Section, Together } from '../ui/page';
import type { StateName } from '../ui/states';
import { useResource } from '../use-resource';
import { Received } from './invitations/received';
import { loadTriggers, namesAmong } from './names';
import { Counts } from './overview/counts';
import { FailureList, FiringList, QuietList, StandstillLine } from './overview/lists';
import { type Failures, loadFailures, loadFirings, loadQuiet } from './overview/load';
import { loadSensors, type Sensor } from './sensors/load';
import { NewSensorButton, NoSensors } from './sensors/no-sensors';
import { Unheard } from './unheard';

const OFTEN_MS = 10_000;
const SELDOM_MS = 60_000;

/** The start page: invitations, what fires, what has sent nothing, what does not work, and the sensors by a metatag. */
export function OverviewPage() {
  const sensors = useResource('sensors', loadSensors, { everyMs: SELDOM_MS });
  const present = usePresent();
  const count = sensors.data?.length ?? 0;
  return (
    <Page
      title={t('Overview')}
      actions={
        count > 0 && (
          <>
            <a class="button" href={href('/connect')}>
              {t('Connect a device')}
            </a>
            <NewSensorButton />
          </>
        )
      }
    >
      <Received>
        <RequestLines />
        <Loaded resource={sensors}>
          {(list) => (list.length === 0 ? <NothingYet {...present} /> : <Overview sensors={list} {...present} />)}
        </Loaded>
      </Received>
    </Page>
  );
}

/** Without sensors, what does not work may be the reason. */
function NothingYet({ failures }: Present) {
  return (
    <>
      {failures.data?.standstill && <StandstillLine {...failures.data.standstill} />}
      {failures.data?.failures[0] && <FailureList {...failures.data} />}
      <NoSensors />
    </>
  );
}

/** Without any worker the platform itself is what does not work. */
function brokenIn({ failures, standstill }: Failures): number {
  return failures.length + (standstill ? 1 : 0);
}

/** Loads together with the sensors, not after them. */
function usePresent() {
  const firings = useResource('firings', loadFirings, { everyMs: OFTEN_MS });
  useFirings(firings.reload);
  const triggers = useResource('triggers', loadTriggers, { everyMs: SELDOM_MS });
  const quiet = useResource('quiet', loadQuiet, { everyMs: SELDOM_MS });
  const failures = useResource('failures', loadFailures, { everyMs: SELDOM_MS });
  return { firings, triggers, quiet, failures };
}

type Present = ReturnType<typeof usePresent>;

function RequestLines() {
  return (
    <>
      {useContext(JoinRequests).map(({ id, name, requests }) => (
        <a key={id} class="message" href={href(`/groups/${id}`)}>
          {many(requests, '{n} request to join {group}', '{n} requests to join {group}', { group: name })}
        </a>
      ))}
    </>
  );
}

function Overview({ sensors, firings, triggers, quiet, failures }: { sensors: readonly Sensor[] } & Present) {
  const names = namesAmong(sensors, triggers.data ?? []);
  const firing = new Set(firings.data?.firings.map((one) => one.sensor_id));
  return (
    <>
      {failures.data?.standstill && <StandstillLine {...failures.data.standstill} />}
      {firing.size > 0 && failures.data?.hasNotifications === false && (
        <a class="message warn" href={href('/notifications')}>
          {t('No notification is set up: alerts reach nobody.')}
        </a>
      )}
      <nav class="summary" aria-label={t('Summary')}>
        <Tile path="/sensors" count={sensors.length} text={many(sensors.length, 'sensor|count', 'sensors|count')} />
        <Tile
          path="/alerts"
          count={firings.data?.total}
          text={firingText(firings.data?.total ?? 0, firing.size)}
          kind={firings.data?.firings[0]?.severity}
        />
        <Tile path="/sensors?q=state:silent&sort=age" count={quiet.data?.length} text={t('no data')} kind="inactive" />
        <Tile
          path="/notifications"
          count={failures.data && brokenIn(failures.data)}
          text={t('not working')}
          kind="failing"
        />
      </nav>
      <Together of={[firings, quiet, failures, triggers]}>
        <div class="columns">
          <Section title={t('Firing')} actions={<More path="/alerts">{t('All alerts')}</More>}>
            <Loaded resource={firings}>
              {({ firings: list }) => (
                <FiringList firings={list} names={names} isStill={failures.data?.standstill !== undefined} />
              )}
            </Loaded>
            {failures.data?.hasNotifications && <Unheard ids={names.unheard} names={names} />}
          </Section>
          <Section title={t('No data')} actions={<More path="/sensors?q=state:silent&sort=age">{t('Show all')}</More>}>
            <Loaded resource={quiet}>{(list) => <QuietList quiet={list} names={names} />}</Loaded>
          </Section>
        </div>
        <div class="columns">
          <Section title={t('Sensors by metatag')} actions={<More path="/sensors">{t('All sensors')}</More>}>
            <Counts
              sensors={sensors}
              tags={tagsOf(sensors)}
              firing={firing}
              quiet={new Set(quiet.data?.map(({ id }) => id))}
            />
          </Section>
          <Section title={t('Notifications and sources')}>
            <Loaded resource={failures}>{(found) => <FailureList {...found} />}</Loaded>
          </Section>
        </div>
      </Together>
    </>
  );
}

/** Alerts are counted, and the sensors that have them. */
function firingText(alerts: number, sensors: number): string {
  if (sensors === 0) return t('firing');
  return many(alerts, 'alert on {sensors}', 'alerts on {sensors}', {
    sensors: many(sensors, '{n} sensor', '{n} sensors'),
  });
}

/** A number that leads to its list; coloured unless it is 0. */
function Tile({
  path,
  count,
  text,
  kind,
}: {
  path: string;
  count: number | undefined;
  text: string;
  kind?: StateName | 'failing' | undefined;
}) {
  return (
    <a class={count && kind ? `is-${kind}` : ''} href={href(path)}>
      <span class="big-value">{count === undefined ? '…' : formatCount(count)}</span>
      <span class="quiet">{text}</span>
    </a>
  );
}

function More({ path, children }: { path: string; children: ComponentChildren }) {
  return (
    <a class="small" href={href(path)}>
      {children}
    </a>
  );
}
