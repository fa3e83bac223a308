import type { FailedCause } from '../../operators/delivery-groups';
import type { RecordedAction } from '../../operators/operator-actions';
import type { CredentialKind, UserCredential } from '../../operators/user-credentials';
import type { UserUsage } from '../../operators/user-usage';
import { type Html, html } from '../../platform/html';
import type { PlainText, Words } from '../../platform/words/words';
import type { StoredData } from '../../points';
import { tokenField } from '../pages/form-token';
import { actionList } from './actions';
import type { PageWriter } from './parts';
import { causes } from './receivers';
import { USER_ACTS, type UserAct, type UserActName } from './user-acts';

interface UserView {
  user: UserUsage;
  /** Null if counting takes too long. */
  stored: StoredData | null;
  credentials: Readonly<Record<CredentialKind, readonly UserCredential[]>>;
  causes: readonly FailedCause[];
  actions: readonly RecordedAction[];
  secret: string;
  mayAct: boolean;
  writer: PageWriter;
  done: string;
}

const CREDENTIALS: readonly (readonly [kind: CredentialKind, title: PlainText, name: PlainText])[] = [
  ['session', 'Sessions', 'Address'],
  ['key', 'Keys', 'Name'],
  ['authorization', 'Applications', 'Name'],
];

/** Contains no data and no secrets. */
export function userPage(view: UserView): Html {
  const { user, writer, credentials } = view;
  return html`<h1>${user.username}</h1>
${writer.navigation()}
${view.done && html`<p class="message good" role="status">${view.done}</p>`}
${
  user.disabledMs !== null &&
  html`<p class="message error">${writer.words.tx('Disabled since {time}. Sign-in, sessions, keys and uploads are refused, and triggers do nothing. The data stays.', { time: writer.time(user.disabledMs) })}</p>`
}
${facts(view)}
${view.mayAct && buttons(user, writer)}
${CREDENTIALS.map(
  ([kind, title, name]) => html`${writer.title(title)}
${credentials[kind].length === 0 ? writer.quiet('None.') : credentialTable(title, name, credentials[kind], writer)}`,
)}
${writer.title('Deliveries that failed for good')}
${view.causes.length === 0 ? writer.quiet('None.') : causes(view, true)}
${writer.title('What operators did')}
${actionList(view.actions, writer)}`;
}

/** Says what it does before it does it. */
export function confirmPage(
  name: UserActName,
  { user, secret, writer }: Pick<UserView, 'user' | 'secret' | 'writer'>,
): Html {
  const act: UserAct = USER_ACTS[name];
  const { words, root } = writer;
  const address = `${root}admin/users/${user.id}`;
  const title = words.t(act.title, user);
  return html`<h1>${title}</h1>
<p>${words.t(act.effect)}</p>
<form method="post" action="${address}/${name}">${tokenField(secret, `${name} ${user.id}`)}
${act.option && html`<p><label class="choice"><input type="checkbox" name="option" value="1"> ${words.t(act.option)}</label></p>`}
<div class="buttons"><button class="${act.isHarsh ? 'danger' : ''}">${title}</button></div>
</form>
<p><a href="${address}">${words.t('Back without a change')}</a></p>`;
}

function facts({ user, stored, writer }: UserView): Html {
  const { words } = writer;
  const rows: [PlainText, string | Html][] = [
    ['Id', String(user.id)],
    ['Email address', `${user.email} (${words.t(user.emailState)})`],
    ['Created', writer.time(user.createdMs)],
    ['Last seen', user.seenMs === null ? words.t('never') : writer.time(user.seenMs)],
    ['Sensors', writer.number(user.sensors)],
    ['Points in the last 24 hours', writer.number(user.points)],
    ['Deliveries in the last 24 hours', writer.number(user.deliveries)],
    ['Stored points', stored ? storedText(stored, writer) : words.t('too many to count now')],
  ];
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${words.t(name)}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function storedText({ points, bytes }: StoredData, writer: PageWriter): string {
  const n = writer.number(points);
  return bytes ? writer.words.t('{n}, about {size}', { n, size: writer.bytes(bytes) }) : n;
}

function buttons({ id, disabledMs }: UserUsage, writer: PageWriter): Html {
  const names: UserActName[] = ['end-sessions', 'remove-second-factors', disabledMs === null ? 'disable' : 'enable'];
  return html`<p class="acts">${names.map(
    (name) =>
      html`<a class="button plain" href="${writer.root}admin/users/${id}/${name}">${writer.words.t(USER_ACTS[name].label)}</a> `,
  )}</p>`;
}

function credentialTable(title: PlainText, name: PlainText, list: readonly UserCredential[], writer: PageWriter): Html {
  const cell = (ms: number | null) => html`<td class="nowrap">${writer.time(ms)}</td>`;
  return writer.table(
    title,
    [name, 'May do', 'Created', 'Last used', 'Expires'],
    list.map(
      (one) =>
        html`<tr><td>${one.name}</td><td>${scopesOf(one, writer.words)}</td>${cell(one.createdMs)}${cell(one.usedMs)}${cell(one.expiresMs)}</tr>`,
    ),
  );
}

/** Scopes are codes; a session has none. */
function scopesOf({ scopes }: UserCredential, words: Words): string {
  return scopes === 'everything' ? words.t('everything') : scopes;
}
