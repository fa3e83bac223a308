import type { OperatorActionName, RecordedAction } from '../../operators/operator-actions';
import { type Html, html } from '../../platform/html';
import { table, time, userLink } from './parts';

const NAMES: Readonly<Record<OperatorActionName, string>> = {
  disable: 'disabled the account',
  enable: 'enabled the account',
  'end-sessions': 'ended sessions',
  'end-keys': 'ended keys',
  'end-authorizations': 'ended permissions of applications',
  redeliver: 'sent failed deliveries again',
  pause: 'paused the receiver',
  resume: 'resumed the receiver',
};

export function actionList(actions: readonly RecordedAction[], root: string): Html {
  if (actions.length === 0) return html`<p class="quiet">Nothing in the last year.</p>`;
  return table(
    'What operators did',
    ['When', 'Who', 'What', 'User or receiver'],
    actions.map(
      ({ dateMs, operator, action, userId, subject }) =>
        html`<tr><td class="nowrap">${time(dateMs)}</td><td>${operator}</td><td>${NAMES[action]}</td><td>${userId === null ? subject : userLink(root, { id: userId, username: subject })}</td></tr>`,
    ),
  );
}
