import type { Express } from 'express';
import { html } from '../../platform/html';
import type { Words } from '../../platform/words/words';
import { type FormView, installFormPage, type Said } from './form-page';
import { endedLink, headed } from './headed';
import { errorMessage } from './page';
import { digestOf } from './password';

const MIN_LENGTH = 8;

/** `GET /resetPassword` of a mail's link. The form sends the password itself, API clients its MD5 digest. */
export function installResetPasswordPage(app: Express): void {
  installFormPage(app, '/resetPassword', {
    form,
    read,
    dead: (words) =>
      endedLink(
        words,
        'It was used, is more than an hour old, or was not copied as a whole. Ask for a new mail where you log in. Your password is as it was.',
      ),
    done,
  });
}

function form({ words }: FormView, error?: string): Said {
  const body = html`<p class="quiet">${words.t('A new password ends all your sessions: you log in again wherever you were logged in.')}</p>
<form method="post">
<div class="field">
<label for="password">${words.t('New password')}</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="${MIN_LENGTH}" required
  aria-describedby="rule">
<p class="hint" id="rule">${words.t('At least {n} characters.', { n: MIN_LENGTH })}</p>
</div>
<div class="field">
<label for="again">${words.t('The same password again')}</label>
<input id="again" name="again" type="password" autocomplete="new-password" required>
</div>
<div class="field">
<label class="choice">
<input type="checkbox" name="end_everything" value="true" aria-describedby="everything">
<span>${words.t('End everything else that may use my account, too')}</span></label>
<p class="hint" id="everything">${words.t('For when somebody else may have been in your account: all keys of devices and programs, and all permissions of applications, end at once. Without it they go on.')}</p>
</div>
<p class="buttons"><button>${words.t('Change password')}</button></p>
</form>`;
  return headed(words, 'Choose a new password', body, errorMessage(error));
}

function read({ password, again, end_everything }: Record<string, unknown>, words: Words) {
  if (typeof password !== 'string' || [...password].length < MIN_LENGTH) {
    return { error: words.t('The password needs at least {n} characters.', { n: MIN_LENGTH }) };
  }
  if (password !== again) return { error: words.t('The two passwords are not the same.') };
  return { parameters: { password: digestOf(password), end_everything: end_everything === 'true' } };
}

function done({ words }: FormView, { username, warning }: Record<string, unknown>): Said {
  const name = html`<strong>${String(username)}</strong>`;
  const body = html`<p role="status">${words.tx('Log in as {name} with the new password. All your sessions have ended.', { name })}</p>
${warning !== undefined && html`<p>${words.t('Keys of devices and programs, and applications that you allowed to use your account, go on. To end them, log in to the console and open the page of your account.')}</p>`}`;
  return headed(words, 'Your password has been changed', body);
}
