import type { Express } from 'express';
import { installLinkPage } from './link-page';
import { MD5_SCRIPT } from './md5.script';

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Choose a new password</title>
</head>
<body>
  <h1>Choose a new password</h1>
  <form id="form">
    <p><label>New password <input id="password" type="password" autocomplete="new-password" required></label></p>
    <p><label>Repeat the new password <input id="again" type="password" autocomplete="new-password" required></label></p>
    <p><button>Change password</button></p>
  </form>
  <p id="answer" role="status"></p>
  <script src="resetPassword/page.js"></script>
</body>
</html>
`;

const SCRIPT = `${MD5_SCRIPT}
const element = (id) => document.getElementById(id);
element('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const password = element('password').value;
  if (password !== element('again').value) {
    element('answer').textContent = 'The passwords do not match.';
    return;
  }
  const token = new URLSearchParams(location.search).get('token');
  try {
    const response = await fetch('resetPassword', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token, password: md5(password) }),
    });
    const { error, username } = await response.json();
    element('answer').textContent = response.ok ? 'Your password has been changed. Log in as ' + username + '.' : error;
    element('form').hidden = response.ok;
  } catch {
    element('answer').textContent = 'The server cannot be reached. Try again later.';
  }
});
`;

/**
 * `GET /resetPassword`: the target of the link in a password reset mail. The page contains no secret and runs only its
 * own script; the token in its URL is sent to no other server.
 */
export function installResetPasswordPage(app: Express): void {
  installLinkPage(app, '/resetPassword', { page: PAGE, script: SCRIPT });
}
