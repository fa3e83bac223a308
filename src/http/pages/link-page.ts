import type { Express } from 'express';

const POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'";

/**
 * Serves the page that a link in a mail leads to, and its script as `<path>/page.js`. The token in the address is neither
 * sent to other sites nor kept.
 */
export function installLinkPage(app: Express, path: string, { page, script }: { page: string; script: string }): void {
  app.get(path, (_request, response) => {
    response
      .set('Content-Security-Policy', POLICY)
      .set('Referrer-Policy', 'no-referrer')
      .set('Cache-Control', 'no-store')
      .type('html')
      .send(page);
  });
  app.get(`${path}/page.js`, (_request, response) => {
    response.type('text/javascript').send(script);
  });
}
