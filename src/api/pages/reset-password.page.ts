import type { Express } from 'express';
import { html } from '../../platform/html';
import { installFormPage, type Said } from './form-page';
import { errorMessage } from './page';
import { digestOf } from './password';

const MIN_LENGTH = 8;

const DEAD: Said = {
  title: 'This link has ended',
  body: html`<h1>This link has ended</h1>
<p role="alert">It was used, is more than an hour old, or was not copied as a whole. Ask for a new mail where you log in. Your password is as it was.</p>`,
};

/** `GET /resetPassword` of a mail's link. The form sends the password itself, API clients its MD5 digest. */
export function installResetPasswordPage(app: Express): void {
  installFormPage(app, '/resetPassword', { form, read, dead: DEAD, done });
}

function form(error?: string): Said {
  return {
    title: 'Choose a new password',
    body: html`${errorMessage(error)}
<h1>Choose a new password</h1>
<p class="quiet">A new password ends all your sessions: you log in again wherever you were logged in.</p>
<form method="post">
<div class="field">
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="${MIN_LENGTH}" required
  aria-describedby="rule">
<p class="hint" id="rule">At least ${MIN_LENGTH} characters.</p>
</div>
<div class="field">
<label for="again">The same password again</label>
<input id="again" name="again" type="password" autocomplete="new-password" required>
</div>
<div class="field">
<label class="choice">
<input type="checkbox" name="end_everything" value="true" aria-describedby="everything">
<span>End everything else that may use my account, too</span></label>
<p class="hint" id="everything">For when somebody else may have been in your account: all keys of devices and programs, and all
permissions of applications, end at once. Without it they go on.</p>
</div>
<p class="buttons"><button>Change password</button></p>
</form>`,
  };
}

function read({ password, again, end_everything }: Record<string, unknown>) {
  if (typeof password !== 'string' || [...password].length < MIN_LENGTH) {
    return { error: `The password needs at least ${MIN_LENGTH} characters.` };
  }
  if (password !== again) return { error: 'The two passwords are not the same.' };
  return { parameters: { password: digestOf(password), end_everything: end_everything === 'true' } };
}

function done({ username, warning }: Record<string, unknown>): Said {
  return {
    title: 'Your password has been changed',
    body: html`<h1>Your password has been changed</h1>
<p role="status">Log in as <strong>${String(username)}</strong> with the new password. All your sessions have ended.</p>
${
  warning !== undefined &&
  html`<p>Keys of devices and programs, and applications that you allowed to use your account, go on. To end them, log in to the console
and open the page of your account.</p>`
}`,
  };
}
