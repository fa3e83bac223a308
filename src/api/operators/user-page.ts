import type { FailedCause } from '../../operators/delivery-groups';
import type { RecordedAction } from '../../operators/operator-actions';
import type { CredentialKind, UserCredential } from '../../operators/user-credentials';
import type { UserUsage } from '../../operators/user-usage';
import { type Html, html } from '../../platform/html';
import type { StoredData } from '../../points';
import { tokenField } from '../pages/form-token';
import { actionList } from './actions';
import { causes } from './page';
import { bytes, navigation, number, table, time } from './parts';
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
  root: string;
  done: string;
}

const CREDENTIALS: readonly (readonly [kind: CredentialKind, title: string, name: string])[] = [
  ['session', 'Sessions', 'Address'],
  ['key', 'Keys', 'Name'],
  ['authorization', 'Applications', 'Name'],
];

/** Contains no data and no secrets. */
export function userPage(view: UserView): Html {
  const { user, root, credentials } = view;
  return html`<h1>${user.username}</h1>
${navigation(root)}
${view.done && html`<p class="message good" role="status">${view.done}</p>`}
${
  user.disabledMs !== null &&
  html`<p class="message error">Disabled since ${time(user.disabledMs)}. Sign-in, sessions, keys and uploads are refused, and triggers do nothing. The data stays.</p>`
}
${facts(view)}
${view.mayAct && buttons(user, root)}
${CREDENTIALS.map(
  ([kind, title, name]) => html`<h2>${title}</h2>
${credentials[kind].length === 0 ? html`<p class="quiet">None.</p>` : credentialTable(title, name, credentials[kind])}`,
)}
<h2>Deliveries that failed for good</h2>
${view.causes.length === 0 ? html`<p class="quiet">None.</p>` : causes(view, true)}
<h2>What operators did</h2>
${actionList(view.actions, root)}`;
}

/** Says what it does before it does it. */
export function confirmPage(
  name: UserActName,
  { user, secret, root }: Pick<UserView, 'user' | 'secret' | 'root'>,
): Html {
  const act: UserAct = USER_ACTS[name];
  const address = `${root}admin/users/${user.id}`;
  return html`<h1>${act.title(user.username)}</h1>
<p>${act.effect}</p>
<form method="post" action="${address}/${name}">${tokenField(secret, `${name} ${user.id}`)}
${act.option && html`<p><label class="choice"><input type="checkbox" name="option" value="1"> ${act.option}</label></p>`}
<div class="buttons"><button class="${act.isHarsh ? 'danger' : ''}">${act.title(user.username)}</button></div>
</form>
<p><a href="${address}">Back without a change</a></p>`;
}

function facts({ user, stored }: UserView): Html {
  const size = stored?.bytes ? `, about ${bytes(stored.bytes)}` : '';
  const rows: [string, string | Html][] = [
    ['Id', String(user.id)],
    ['Email address', `${user.email} (${user.emailState})`],
    ['Created', time(user.createdMs)],
    ['Last seen', user.seenMs === null ? 'never' : time(user.seenMs)],
    ['Sensors', number(user.sensors)],
    ['Points in the last 24 hours', number(user.points)],
    ['Deliveries in the last 24 hours', number(user.deliveries)],
    ['Stored points', stored ? `${number(stored.points)}${size}` : 'too many to count now'],
  ];
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function buttons({ id, disabledMs }: UserUsage, root: string): Html {
  const names: UserActName[] = ['end-sessions', disabledMs === null ? 'disable' : 'enable'];
  return html`<p class="acts">${names.map(
    (name) => html`<a class="button plain" href="${root}admin/users/${id}/${name}">${USER_ACTS[name].label}</a> `,
  )}</p>`;
}

function credentialTable(title: string, name: string, list: readonly UserCredential[]): Html {
  return table(
    title,
    [name, 'May do', 'Created', 'Last used', 'Expires'],
    list.map(
      (one) =>
        html`<tr><td>${one.name}</td><td>${one.scopes}</td><td class="nowrap">${time(one.createdMs)}</td><td class="nowrap">${time(one.usedMs)}</td><td class="nowrap">${time(one.expiresMs)}</td></tr>`,
    ),
  );
}
