import type { Express } from 'express';
import { installLinkPage } from './link-page';

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Receive alerts</title>
</head>
<body>
  <h1>Receive alerts</h1>
  <form id="form" method="post">
    <p>A user of this platform wants to send you alerts of sensors by mail. You can stop them at any time, by a link in
    each mail.</p>
    <p><button>Receive alerts</button></p>
  </form>
  <p id="answer" role="status"></p>
  <script src="confirm/page.js"></script>
</body>
</html>
`;

const SCRIPT = `const element = (id) => document.getElementById(id);
element('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  try {
    const response = await fetch('confirm' + location.search, { method: 'POST' });
    const { error } = await response.json();
    element('answer').textContent = response.ok ? 'You will receive alerts at this address.' : error;
    element('form').hidden = response.ok;
  } catch {
    element('answer').textContent = 'The server cannot be reached. Try again later.';
  }
});
`;

/**
 * `GET /confirm`: the target of the link that asks an address whether it wants mails. The page only shows a button:
 * scanners of mails follow links, so opening one must not confirm anything.
 */
export function installConfirmPage(app: Express): void {
  installLinkPage(app, '/confirm', { page: PAGE, script: SCRIPT });
}
