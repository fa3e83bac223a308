import type { QuarantinedWork } from '../../fairness/quarantine/quarantine';
import { OVERDUE_MS, type ReceiverStatus, STANDSTILL_CONSEQUENCE, type WaitingNotification } from '../../notifications';
import type { BacklogSummary, PartitionBacklog, UserBacklog, Waiting } from '../../operators/backlog';
import type { FailedCause } from '../../operators/delivery-groups';
import type { LoadOfDay } from '../../operators/load-history';
import type { RecordedAction } from '../../operators/operator-actions';
import type { StoreSize } from '../../operators/store-size';
import { type Html, html } from '../../platform/html';
import { actionList } from './actions';
import { loadCharts } from './load-charts';
import type { PageWriter } from './parts';
import { causes, receivers } from './receivers';
import { storage } from './storage';

export interface QueueStatus {
  name: string;
  waiting: number;
  active: number;
  delayed: number;
  failed: number;
  isPaused: boolean;
}

export interface OperatorsView {
  summary: BacklogSummary;
  partitions: readonly PartitionBacklog[];
  users: readonly UserBacklog[];
  notifications: readonly WaitingNotification[];
  causes: readonly FailedCause[];
  receivers: readonly ReceiverStatus[];
  quarantined: readonly QuarantinedWork[];
  load: LoadOfDay;
  actions: readonly RecordedAction[];
  /** The metrics require the token. */
  hasMetricsToken: boolean;
  /** Undefined while Redis does not answer. */
  queues: readonly QueueStatus[] | undefined;
  /** Undefined while Redis does not answer. */
  workers: number | undefined;
  /** Undefined if MySQL does not say. */
  size: StoreSize | undefined;
  secret: string;
  /** False for read-only operators: no buttons. */
  mayAct: boolean;
  writer: PageWriter;
  /** About the form that was sent before. */
  done: string;
}

/** Contains usernames, but no values of sensors and no texts of users. */
export function operatorsPage(view: OperatorsView): Html {
  const { writer } = view;
  const { words } = writer;
  return html`<h1>${words.t('Operators')}</h1>
${view.done && html`<p class="message good" role="status">${view.done}</p>`}
${writer.navigation()}
<p class="quiet">${words.tx('As of {time}.', { time: writer.time(Date.now()) })} ${writer.link('admin', 'Refresh')}</p>
${hasNoWorker(view) && noWorker(view)}
<h2>${view.load.hours === 1 ? words.t('The last hour') : words.t('The last {n} hours', { n: view.load.hours })}</h2>
${loadCharts(view.load, writer)}
<p class="small">${aboutMetrics(view)}</p>
${writer.title('What waits')}
${waiting(view)}
${view.partitions.length > 0 && partitions(view)}
${view.users.length > 0 && users(view)}
${view.notifications.length > 0 && notifications(view)}
${view.quarantined.length > 0 && quarantine(view)}
${writer.title('Deliveries that failed for good')}
${view.causes.length === 0 ? writer.quiet('None.') : causes(view)}
${writer.title('Receivers')}
${view.receivers.length === 0 ? writer.quiet('None is paused or fails, and nothing waits for any.') : receivers(view)}
${writer.title('Storage')}
${storage(view.size, writer)}
${writer.title('Queues')}
${view.queues ? queues(view.queues, writer) : html`<p class="message error">${words.t('Redis does not answer: nothing is lost, and work continues when it is back.')}</p>`}
${writer.title('What operators did')}
${actionList(view.actions, writer)}`;
}

/** Without overdue work workers may just be starting. */
function hasNoWorker({ workers, summary }: OperatorsView): boolean {
  return workers === 0 && oldestOf(summary) >= OVERDUE_MS / 1_000;
}

function noWorker({ summary, writer }: OperatorsView): Html {
  const age = writer.age(oldestOf(summary));
  const what = writer.words.said(STANDSTILL_CONSEQUENCE);
  return html`<p class="message error" role="alert">${writer.words.t('No worker runs: {what}. The oldest that waits: {age}. Start a worker.', { what, age })}</p>`;
}

function oldestOf({ points, events, due, throttled, training }: BacklogSummary): number {
  return Math.max(...[points, events, due, throttled, training].map(({ oldestSeconds }) => oldestSeconds ?? 0));
}

function aboutMetrics({ hasMetricsToken, writer: { words } }: OperatorsView): Html {
  const names = { path: html`<code>${'/metrics'}</code>`, token: html`<code>${'METRICS_TOKEN'}</code>` };
  return hasMetricsToken
    ? words.tx('More is measured at {path}, which requires the token of {token}.', names)
    : words.tx(
        'More is measured at {path}. Anyone who reaches this port can read it: a proxy must hide it, or set {token}.',
        names,
      );
}

function waiting({ summary, writer }: OperatorsView): Html {
  const { words } = writer;
  const { failing } = summary.events;
  const rows: [string, Waiting][] = [
    [words.t('Points, for their triggers'), summary.points],
    [
      failing > 0
        ? words.t('Events, to be dispatched ({n} fail)', { n: failing })
        : words.t('Events, to be dispatched'),
      summary.events,
    ],
    [words.t('Deliveries that are due'), summary.due],
    [words.t('Deliveries that wait for their receiver'), summary.throttled],
    [words.t('Deliveries under way'), { count: summary.underWay, oldestSeconds: null }],
    [words.t('Deliveries planned for later'), { count: summary.planned, oldestSeconds: null }],
    [words.t('Training jobs'), summary.training],
    [words.t('Deleted things, to be purged'), summary.purge],
  ];
  return writer.table(
    'What waits',
    ['What', 'How much', 'Oldest'],
    rows.map(
      ([name, { count, oldestSeconds }]) =>
        html`<tr><td>${name}</td>${writer.count(count)}<td class="number">${writer.age(oldestSeconds)}</td></tr>`,
    ),
  );
}

function quarantine({ quarantined, writer }: OperatorsView): Html {
  const command = html`<code>${'npm run admin -- quarantine release'}</code>`;
  return html`${writer.title('Work that was set aside')}
${writer.table(
  'Work that was set aside',
  ['Kind', 'Id', 'User', 'Since', 'Why'],
  quarantined.map(
    ({ kind, thingId, ownerId, sinceMs, reason }) =>
      html`<tr><td>${kind}</td><td class="number">${thingId}</td><td>${ownerId === null ? '–' : writer.userLink({ id: ownerId, username: String(ownerId) })}</td><td class="nowrap">${writer.time(sinceMs)}</td><td>${writer.words.said(reason)}</td></tr>`,
  ),
)}
${writer.note(writer.words.tx('It ended each process that did it, so it is kept apart for a day. Points of such a user are evaluated by a process of their own. {command} lets work be tried again.', { command }))}`;
}

function partitions({ partitions: list, writer }: OperatorsView): Html {
  return html`<h3>${writer.words.t('By partition')}</h3>
${writer.table(
  'Points by partition',
  ['Partition', 'Batches', 'Points', 'Oldest'],
  list.map(
    ({ partition, batches, count, oldestSeconds }) =>
      html`<tr><td>${partition}</td>${writer.count(batches)}${writer.count(count)}<td class="number">${writer.age(oldestSeconds)}</td></tr>`,
  ),
)}`;
}

function users({ users: list, writer }: OperatorsView): Html {
  return html`<h3>${writer.words.t('By user')}</h3>
${writer.table(
  'What waits by user',
  ['User', 'Points', 'Events', 'Deliveries'],
  list.map(
    ({ userId, username, points, events, deliveries }) =>
      html`<tr><td>${writer.userLink({ id: userId, username })}</td>${writer.count(points)}${writer.count(events)}${writer.count(deliveries)}</tr>`,
  ),
)}`;
}

function notifications({ notifications: list, writer }: OperatorsView): Html {
  return html`<h3>${writer.words.t('Why deliveries wait')}</h3>
${writer.table(
  'Why deliveries wait',
  ['User', 'Notification', 'Deliveries', 'Critical', 'Since', 'Why', 'Next try'],
  list.map(
    ({ ownerId, username, notificationId, count, critical, sinceMs, reason, untilMs }) =>
      html`<tr><td>${writer.userLink({ id: ownerId, username })}</td><td class="number">${notificationId}</td>${writer.count(count)}${writer.count(critical, critical > 0)}<td class="nowrap">${writer.time(sinceMs)}</td><td>${writer.words.said(reason)}</td><td class="nowrap">${writer.time(untilMs)}</td></tr>`,
  ),
)}`;
}

function queues(list: readonly QueueStatus[], writer: PageWriter): Html {
  return html`${writer.table(
    'Queues',
    ['Queue', 'Waiting', 'Active', 'Delayed', 'Failed jobs', 'State'],
    list.map(
      ({ name, waiting: waits, active, delayed, failed, isPaused }) =>
        html`<tr><td><a href="${writer.root}admin/queues/queue/${name}">${name}</a></td>${writer.count(waits)}${writer.count(active)}${writer.count(delayed)}${writer.count(failed, failed > 0)}<td>${isPaused && writer.words.t('paused')}</td></tr>`,
    ),
  )}
${writer.note(writer.words.t('These are jobs, not deliveries: a job may make attempts of several deliveries, and a failed one stays here, among the last 1,000, after its deliveries were sent again.'))}`;
}
