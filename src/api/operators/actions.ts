import type { OperatorActionName, RecordedAction } from '../../operators/operator-actions';
import { type Html, html } from '../../platform/html';
import type { PlainText } from '../../platform/words/words';
import type { PageWriter } from './parts';

const NAMES: Readonly<Record<OperatorActionName, PlainText>> = {
  disable: 'disabled the account',
  enable: 'enabled the account',
  'end-sessions': 'ended sessions',
  'remove-second-factors': 'removed second factors',
  'end-keys': 'ended keys',
  'end-authorizations': 'ended permissions of applications',
  redeliver: 'sent failed deliveries again',
  pause: 'paused the receiver',
  resume: 'resumed the receiver',
};

export function actionList(actions: readonly RecordedAction[], writer: PageWriter): Html {
  if (actions.length === 0) return writer.quiet('Nothing in the last year.');
  return writer.table(
    'What operators did',
    ['When', 'Who', 'What', 'User or receiver'],
    actions.map(
      ({ dateMs, operator, action, userId, subject }) =>
        html`<tr><td class="nowrap">${writer.time(dateMs)}</td><td>${operator}</td><td>${writer.words.t(NAMES[action])}</td><td>${userId === null ? subject : writer.userLink({ id: userId, username: subject })}</td></tr>`,
    ),
  );
}
