import type { Express } from 'express';
import { installLinkPage } from './link-page';

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Unsubscribe</title>
</head>
<body>
  <h1>Unsubscribe</h1>
  <form id="form" method="post">
    <p>The user who sent this mail can send you no more mails.</p>
    <p><button>Unsubscribe</button></p>
  </form>
  <p id="answer" role="status"></p>
  <p id="back" hidden><a id="allow" href="confirm">Allow these mails again</a></p>
  <script src="unsubscribe/page.js"></script>
</body>
</html>
`;

const SCRIPT = `const element = (id) => document.getElementById(id);
element('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  try {
    const response = await fetch('unsubscribe' + location.search, { method: 'POST' });
    const { error } = await response.json();
    element('answer').textContent = response.ok ? 'You have been unsubscribed.' : error;
    element('form').hidden = response.ok;
    element('allow').href = 'confirm' + location.search;
    element('back').hidden = !response.ok;
  } catch {
    element('answer').textContent = 'The server cannot be reached. Try again later.';
  }
});
`;

/**
 * `GET /unsubscribe`: the target of the link in a mail. The page only asks for confirmation: scanners of mails follow
 * links, so opening one must not unsubscribe anybody.
 */
export function installUnsubscribePage(app: Express): void {
  installLinkPage(app, '/unsubscribe', { page: PAGE, script: SCRIPT });
}
