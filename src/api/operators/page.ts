import type { QuarantinedWork } from '../../fairness/quarantine/quarantine';
import { OVERDUE_MS, type ReceiverStatus, STANDSTILL_CONSEQUENCE, type WaitingNotification } from '../../notifications';
import type { BacklogSummary, PartitionBacklog, UserBacklog, Waiting } from '../../operators/backlog';
import { type FailedCause, LATEST_COUNTED } from '../../operators/delivery-groups';
import type { LoadOfDay } from '../../operators/load-history';
import type { RecordedAction } from '../../operators/operator-actions';
import type { StoreSize } from '../../operators/store-size';
import { type Html, html } from '../../platform/html';
import { tokenField } from '../pages/form-token';
import { actionList } from './actions';
import { loadCharts } from './load-charts';
import { age, count, navigation, number, table, time, userLink } from './parts';
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
  /** Relative path to the platform's root. */
  root: string;
  /** About the form that was sent before. */
  done: string;
}

/** Contains usernames, but no values of sensors and no texts of users. */
export function operatorsPage(view: OperatorsView): Html {
  return html`<h1>Operators</h1>
${view.done && html`<p class="message good" role="status">${view.done}</p>`}
${navigation(view.root)}
<p class="quiet">As of ${time(Date.now())}. <a href="${view.root}admin">Refresh</a></p>
${hasNoWorker(view) && html`<p class="message error" role="alert">No worker runs: ${STANDSTILL_CONSEQUENCE}. The oldest that waits: ${age(oldestOf(view.summary))}. Start a worker.</p>`}
<h2>${view.load.hours === 1 ? 'The last hour' : `The last ${view.load.hours} hours`}</h2>
${loadCharts(view.load)}
<p class="small">${
    view.hasMetricsToken
      ? html`More is measured at <code>/metrics</code>, which requires the token of <code>METRICS_TOKEN</code>.`
      : html`More is measured at <code>/metrics</code>. Anyone who reaches this port can read it: a proxy must hide it, or set <code>METRICS_TOKEN</code>.`
  }</p>
<h2>What waits</h2>
${waiting(view.summary)}
${view.partitions.length > 0 && partitions(view.partitions)}
${view.users.length > 0 && users(view)}
${view.notifications.length > 0 && notifications(view)}
${view.quarantined.length > 0 && quarantine(view)}
<h2>Deliveries that failed for good</h2>
${view.causes.length === 0 ? html`<p class="quiet">None.</p>` : causes(view)}
<h2>Receivers</h2>
${view.receivers.length === 0 ? html`<p class="quiet">None is paused or fails, and nothing waits for any.</p>` : receivers(view)}
<h2>Storage</h2>
${storage(view.size)}
<h2>Queues</h2>
${view.queues ? queues(view.queues, view.root) : html`<p class="message error">Redis does not answer: nothing is lost, and work continues when it is back.</p>`}
<h2>What operators did</h2>
${actionList(view.actions, view.root)}`;
}

/** Without overdue work workers may just be starting. */
function hasNoWorker({ workers, summary }: OperatorsView): boolean {
  return workers === 0 && oldestOf(summary) >= OVERDUE_MS / 1_000;
}

function oldestOf({ points, events, due, throttled, training }: BacklogSummary): number {
  return Math.max(...[points, events, due, throttled, training].map(({ oldestSeconds }) => oldestSeconds ?? 0));
}

function waiting(summary: BacklogSummary): Html {
  const rows: [string, Waiting][] = [
    ['Points, for their triggers', summary.points],
    [
      `Events, to be dispatched${summary.events.failing > 0 ? ` (${summary.events.failing} fail)` : ''}`,
      summary.events,
    ],
    ['Deliveries that are due', summary.due],
    ['Deliveries that wait for their receiver', summary.throttled],
    ['Deliveries under way', { count: summary.underWay, oldestSeconds: null }],
    ['Deliveries planned for later', { count: summary.planned, oldestSeconds: null }],
    ['Training jobs', summary.training],
    ['Deleted things, to be purged', summary.purge],
  ];
  return table(
    'What waits',
    ['What', 'How much', 'Oldest'],
    rows.map(
      ([name, { count, oldestSeconds }]) =>
        html`<tr><td>${name}</td><td class="number">${number(count)}</td><td class="number">${age(oldestSeconds)}</td></tr>`,
    ),
  );
}

function quarantine({ quarantined, root }: OperatorsView): Html {
  return html`<h2>Work that was set aside</h2>
${table(
  'Work that was set aside',
  ['Kind', 'Id', 'User', 'Since', 'Why'],
  quarantined.map(
    ({ kind, thingId, ownerId, sinceMs, reason }) =>
      html`<tr><td>${kind}</td><td class="number">${thingId}</td><td>${ownerId === null ? '–' : html`<a href="${root}admin/users/${ownerId}">${ownerId}</a>`}</td><td class="nowrap">${time(sinceMs)}</td><td>${reason}</td></tr>`,
  ),
)}
<p class="quiet small">It ended each process that did it, so it is kept apart for a day. Points of such a user are evaluated by a process of their own. <code>npm run admin -- quarantine release</code> lets work be tried again.</p>`;
}

function partitions(list: readonly PartitionBacklog[]): Html {
  return html`<h3>By partition</h3>
${table(
  'Points by partition',
  ['Partition', 'Batches', 'Points', 'Oldest'],
  list.map(
    ({ partition, batches, count, oldestSeconds }) =>
      html`<tr><td>${partition}</td><td class="number">${number(batches)}</td><td class="number">${number(count)}</td><td class="number">${age(oldestSeconds)}</td></tr>`,
  ),
)}`;
}

function users({ users: list, root }: OperatorsView): Html {
  return html`<h3>By user</h3>
${table(
  'What waits by user',
  ['User', 'Points', 'Events', 'Deliveries'],
  list.map(
    ({ userId, username, points, events, deliveries }) =>
      html`<tr><td>${userLink(root, { id: userId, username })}</td><td class="number">${number(points)}</td><td class="number">${number(events)}</td><td class="number">${number(deliveries)}</td></tr>`,
  ),
)}`;
}

function notifications({ notifications: list, root }: OperatorsView): Html {
  return html`<h3>Why deliveries wait</h3>
${table(
  'Why deliveries wait',
  ['User', 'Notification', 'Deliveries', 'Critical', 'Since', 'Why', 'Next try'],
  list.map(
    ({ ownerId, username, notificationId, count: total, critical, sinceMs, reason, untilMs }) =>
      html`<tr><td>${userLink(root, { id: ownerId, username })}</td><td class="number">${notificationId}</td>${count(total)}<td class="number">${critical > 0 ? html`<strong>${number(critical)}</strong>` : '0'}</td><td class="nowrap">${time(sinceMs)}</td><td>${reason}</td><td class="nowrap">${untilMs === null ? '–' : time(untilMs)}</td></tr>`,
  ),
)}`;
}

/** Has buttons if the operator may act; of all users or one. */
export function causes(view: Pick<OperatorsView, 'causes' | 'secret' | 'root' | 'mayAct'>, ofOneUser = false): Html {
  const names = ['Receiver', 'Cause', 'Latest answer', 'How many', 'Latest'];
  return html`${table(
    'Failed deliveries by receiver and cause',
    ofOneUser ? names : [...names, 'Users', 'Action'],
    view.causes.map((cause) => {
      const { receiver, cause: reason, count: total, latestMs, answer } = cause;
      return html`<tr><td>${receiver || 'none'}</td><td>${reason || 'unknown'}</td><td>${answer ? html`${answer.status} ${answer.text && html`<q>${answer.text}</q>`}` : '–'}</td>${count(total)}<td class="nowrap">${time(latestMs)}</td>${!ofOneUser && ownersAndButton(cause, view)}</tr>`;
    }),
  )}
<p class="quiet small">Among the latest ${LATEST_COUNTED.toLocaleString('en')} deliveries; <code>npm run admin -- failures</code> counts all. A delivery counts once, when its last attempt has failed, until it is sent again or its record is deleted. A digest is one delivery. The latest answer is what the receiver said last. Words and numbers that were sent to it are left out (…), because only their owner may read them.</p>`;
}

function ownersAndButton(
  { receiver, cause, named, users: total }: FailedCause,
  { secret, root, mayAct }: Pick<OperatorsView, 'secret' | 'root' | 'mayAct'>,
): Html {
  const form = html`<form method="post" action="${root}admin/redeliver">${tokenField(secret, 'redeliver')}
<input type="hidden" name="receiver" value="${receiver}"><input type="hidden" name="cause" value="${cause}">
<button class="plain small-button" aria-label="Send again: ${receiver}, ${cause}">Send again</button></form>`;
  return html`<td>${owners(named, total, root)}</td><td>${mayAct && form}</td>`;
}

function owners(named: readonly { id: number; username: string }[], total: number, root: string): Html {
  const links = named.map((user, index) => html`${index > 0 && ', '}${userLink(root, user)}`);
  return html`${links}${total > named.length && ` and ${number(total - named.length)} more`}`;
}

function receivers({ receivers: list, secret, root, mayAct }: OperatorsView): Html {
  return table(
    'Receivers',
    ['Receiver', 'Pending', 'Throttled', 'Under way', 'Failures in a row', 'State', 'Action'],
    list.map((one) => {
      const way = one.pausedSinceMs === null ? 'pause' : 'resume';
      return html`<tr><td>${one.receiver || 'none'}</td><td class="number">${number(one.pending)}</td><td class="number">${number(one.throttled)}</td><td class="number">${number(one.underWay)}</td><td class="number">${number(one.failures)}</td><td>${stateOf(one)}</td><td>
${
  mayAct &&
  one.receiver &&
  html`<form method="post" action="${root}admin/${way}">${tokenField(secret, way)}
<input type="hidden" name="receiver" value="${one.receiver}">
<button class="plain small-button" aria-label="${way === 'pause' ? 'Pause' : 'Resume'} ${one.receiver}">${way === 'pause' ? 'Pause' : 'Resume'}</button></form>`
}</td></tr>`;
    }),
  );
}

function stateOf({ pausedSinceMs, reason, failures }: OperatorsView['receivers'][number]): Html {
  if (pausedSinceMs !== null) return html`paused ${time(pausedSinceMs)}${reason && `: ${reason}`}`;
  return html`${failures > 0 ? 'failing' : 'working'}`;
}

function queues(list: readonly QueueStatus[], root: string): Html {
  return html`${table(
    'Queues',
    ['Queue', 'Waiting', 'Active', 'Delayed', 'Failed jobs', 'State'],
    list.map(
      ({ name, waiting: waits, active, delayed, failed, isPaused }) =>
        html`<tr><td><a href="${root}admin/queues/queue/${name}">${name}</a></td><td class="number">${number(waits)}</td><td class="number">${number(active)}</td><td class="number">${number(delayed)}</td><td class="number">${failed > 0 ? html`<strong>${number(failed)}</strong>` : '0'}</td><td>${isPaused ? 'paused' : ''}</td></tr>`,
    ),
  )}
<p class="quiet small">These are jobs, not deliveries: a job may make attempts of several deliveries, and a failed one stays here, among the last 1,000, after its deliveries were sent again.</p>`;
}
