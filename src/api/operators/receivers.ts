import type { ReceiverStatus } from '../../notifications';
import { type FailedCause, LATEST_COUNTED } from '../../operators/delivery-groups';
import { type Html, html } from '../../platform/html';
import type { PlainText } from '../../platform/words/words';
import { tokenField } from '../pages/form-token';
import type { PageWriter } from './parts';

interface Acting {
  secret: string;
  /** False for read-only operators: no buttons. */
  mayAct: boolean;
  writer: PageWriter;
}

/** Has buttons if the operator may act; of all users or one. */
export function causes(view: Acting & { causes: readonly FailedCause[] }, ofOneUser = false): Html {
  const names: PlainText[] = ['Receiver', 'Cause', 'Latest answer', 'How many', 'Latest'];
  const { writer } = view;
  const { words } = writer;
  const about = words.tx(
    'Among the latest {n} deliveries; {command} counts all. A delivery counts once, when its last attempt has failed, until it is sent again or its record is deleted. A digest is one delivery. The latest answer is what the receiver said last. Words and numbers that were sent to it are left out (…), because only their owner may read them.',
    { n: writer.number(LATEST_COUNTED), command: html`<code>${'npm run admin -- failures'}</code>` },
  );
  return html`${writer.table(
    'Failed deliveries by receiver and cause',
    ofOneUser ? names : [...names, 'Users', 'Action'],
    view.causes.map((cause) => {
      const { receiver, cause: reason, count, latestMs, answer } = cause;
      return html`<tr><td>${receiver || words.t('none')}</td><td>${words.said(reason) || words.t('unknown')}</td><td>${answer ? html`${answer.status} ${answer.text && html`<q>${answer.text}</q>`}` : '–'}</td>${writer.count(count)}<td class="nowrap">${writer.time(latestMs)}</td>${!ofOneUser && ownersAndButton(cause, view)}</tr>`;
    }),
  )}
${writer.note(about)}`;
}

function ownersAndButton(
  { receiver, cause, named, users: total }: FailedCause,
  { secret, writer, mayAct }: Acting,
): Html {
  const { words, root } = writer;
  const form = html`<form method="post" action="${root}admin/redeliver">${tokenField(secret, 'redeliver')}
<input type="hidden" name="receiver" value="${receiver}"><input type="hidden" name="cause" value="${cause}">
<button class="plain small-button" aria-label="${words.t('Send again: {receiver}, {cause}', { receiver, cause })}">${words.t('Send again')}</button></form>`;
  const links = named.map((user, index) => html`${index > 0 && ', '}${writer.userLink(user)}`);
  const others = total - named.length;
  return html`<td>${links}${others > 0 && html` ${words.t('and {n} more', { n: writer.number(others) })}`}</td><td>${mayAct && form}</td>`;
}

export function receivers({
  receivers: list,
  secret,
  writer,
  mayAct,
}: Acting & { receivers: readonly ReceiverStatus[] }): Html {
  const { words, root } = writer;
  return writer.table(
    'Receivers',
    ['Receiver', 'Pending', 'Throttled', 'Under way', 'Failures in a row', 'State', 'Action'],
    list.map((one) => {
      const [way, act, about] =
        one.pausedSinceMs === null
          ? (['pause', 'Pause', 'Pause {receiver}'] as const)
          : (['resume', 'Resume', 'Resume {receiver}'] as const);
      return html`<tr><td>${one.receiver || words.t('none')}</td>${writer.count(one.pending)}${writer.count(one.throttled)}${writer.count(one.underWay)}${writer.count(one.failures)}<td>${stateOf(one, writer)}</td><td>
${
  mayAct &&
  one.receiver &&
  html`<form method="post" action="${root}admin/${way}">${tokenField(secret, way)}
<input type="hidden" name="receiver" value="${one.receiver}">
<button class="plain small-button" aria-label="${words.t(about, { receiver: one.receiver })}">${words.t(act)}</button></form>`
}</td></tr>`;
    }),
  );
}

function stateOf({ pausedSinceMs, reason, failures }: ReceiverStatus, writer: PageWriter): Html {
  const { words } = writer;
  if (pausedSinceMs === null) return html`${words.t(failures > 0 ? 'failing' : 'working')}`;
  return html`${words.tx('paused {time}', { time: writer.time(pausedSinceMs) })}${reason && `: ${words.said(reason)}`}`;
}
