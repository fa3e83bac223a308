import type { Express } from 'express';
import { absolutePath } from 'swagger-ui-dist';

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Sensor data platform: reference</title>
  <link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
  <div id="reference"></div>
  <script src="/docs/swagger-ui-bundle.js"></script>
  <script src="/docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  persistAuthorization: true,
  validatorUrl: null,
});
`;

/** Of the package, what the page needs: its own page would load a document from another host. */
const PACKAGE_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/** Its scripts are files of this server; styles it also sets on elements, and its icons are data in the style sheet. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `/openapi.json` and the reference page `/docs`; every file of it comes from this server. */
export function installDocs(app: Express, openapi: object): void {
  app.get('/openapi.json', (_request, response) => {
    response.json(openapi);
  });
  app.get('/docs', (_request, response) => {
    response.set('Content-Security-Policy', POLICY).type('html').send(PAGE);
  });
  app.get('/docs/start.js', (_request, response) => {
    response.type('text/javascript').send(START);
  });
  for (const file of PACKAGE_FILES) {
    app.get(`/docs/${file}`, (_request, response) => response.sendFile(file, { root: absolutePath() }));
  }
}
