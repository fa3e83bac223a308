import type { ReceiverStatus } from '../../delivery/paused-receivers';
import type { BacklogSummary, PartitionBacklog, UserBacklog, Waiting } from '../../operations/backlog';
import type { FailedCause } from '../../operations/delivery-groups';
import { type Html, html } from '../../rules/html';
import { tokenField } from '../pages/form-token';

export interface QueueStatus {
  name: string;
  waiting: number;
  active: number;
  delayed: number;
  failed: number;
  isPaused: boolean;
}

/** The content of the operators' page. */
export interface OperatorsView {
  summary: BacklogSummary;
  partitions: readonly PartitionBacklog[];
  users: readonly UserBacklog[];
  causes: readonly FailedCause[];
  receivers: readonly ReceiverStatus[];
  /** Undefined while Redis does not answer. */
  queues: readonly QueueStatus[] | undefined;
  secret: string;
  /** True if there are buttons: not for read-only operators. */
  mayAct: boolean;
  /** The relative path to the root of the platform. */
  root: string;
  /** The message about the form that was sent before. */
  done: string;
}

/** The page: the backlog, failures, and the receivers. It contains no values of sensors and no texts of users. */
export function operatorsPage(view: OperatorsView): Html {
  return html`<h1>Operators</h1>
${view.done && html`<p class="message good" role="status">${view.done}</p>`}
<p class="quiet">As of ${time(Date.now())}. <a href="${view.root}admin">Refresh</a> · <a href="${view.root}admin/queues">Jobs, one by one</a> · <a href="${view.root}metrics">Metrics</a></p>
<h2>What waits</h2>
${waiting(view.summary)}
${view.partitions.length > 0 && partitions(view.partitions)}
${view.users.length > 0 && users(view.users)}
<h2>Failed deliveries</h2>
${view.causes.length === 0 ? html`<p class="quiet">None.</p>` : causes(view)}
<h2>Receivers</h2>
${view.receivers.length === 0 ? html`<p class="quiet">None is paused or fails, and nothing waits for any.</p>` : receivers(view)}
<h2>Queues</h2>
${view.queues ? queues(view.queues, view.root) : html`<p class="message error">Redis does not answer: nothing is lost, and work continues when it is back.</p>`}`;
}

function table(caption: string, names: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table>
<thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
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

function users(list: readonly UserBacklog[]): Html {
  return html`<h3>By user</h3>
${table(
  'What waits by user',
  ['User', 'Points', 'Events', 'Deliveries'],
  list.map(
    ({ userId, username, points, events, deliveries }) =>
      html`<tr><td>${username || 'deleted'} <span class="quiet">${userId}</span></td><td class="number">${number(points)}</td><td class="number">${number(events)}</td><td class="number">${number(deliveries)}</td></tr>`,
  ),
)}`;
}

function causes({ causes: list, secret, root, mayAct }: OperatorsView): Html {
  return table(
    'Failed deliveries by receiver and cause',
    ['Receiver', 'Cause', 'How many', 'Users', 'Latest', 'Action'],
    list.map(
      ({ receiver, cause, count, users: owners, latestMs }) =>
        html`<tr><td>${receiver || 'none'}</td><td>${cause || 'unknown'}</td><td class="number">${number(count)}</td><td class="number">${number(owners)}</td><td>${time(latestMs)}</td><td>
${
  mayAct &&
  html`<form method="post" action="${root}admin/redeliver">${tokenField(secret, 'redeliver')}
<input type="hidden" name="receiver" value="${receiver}"><input type="hidden" name="cause" value="${cause}">
<button class="plain small-button" aria-label="Send again: ${receiver}, ${cause}">Send again</button></form>`
}</td></tr>`,
    ),
  );
}

function receivers({ receivers: list, secret, root, mayAct }: OperatorsView): Html {
  return table(
    'Receivers',
    ['Receiver', 'Pending', 'Throttled', 'Under way', 'Failures in a row', 'State', 'Action'],
    list.map((one) => {
      const way = one.pausedSinceMs === null ? 'pause' : 'resume';
      const state =
        one.pausedSinceMs === null ? '' : `paused ${time(one.pausedSinceMs)}${one.reason && `: ${one.reason}`}`;
      return html`<tr><td>${one.receiver || 'none'}</td><td class="number">${number(one.pending)}</td><td class="number">${number(one.throttled)}</td><td class="number">${number(one.underWay)}</td><td class="number">${number(one.failures)}</td><td>${state}</td><td>
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

function queues(list: readonly QueueStatus[], root: string): Html {
  return table(
    'Queues',
    ['Queue', 'Waiting', 'Active', 'Delayed', 'Failed', 'State'],
    list.map(
      ({ name, waiting: waits, active, delayed, failed, isPaused }) =>
        html`<tr><td><a href="${root}admin/queues/queue/${name}">${name}</a></td><td class="number">${number(waits)}</td><td class="number">${number(active)}</td><td class="number">${number(delayed)}</td><td class="number">${failed > 0 ? html`<strong>${number(failed)}</strong>` : '0'}</td><td>${isPaused ? 'paused' : ''}</td></tr>`,
    ),
  );
}

function number(count: number): string {
  return new Intl.NumberFormat('en').format(count);
}

function age(seconds: number | null): string {
  if (seconds === null) return '–';
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

/** In UTC, which is the same for all operators. */
function time(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
