import express, { type Express } from 'express';
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

/** `/openapi.json` and the reference page `/docs`; every file of it comes from this server. */
export function installDocs(app: Express, openapi: object): void {
  app.get('/openapi.json', (_request, response) => {
    response.json(openapi);
  });
  app.get('/docs', (_request, response) => {
    response.type('html').send(PAGE);
  });
  app.get('/docs/start.js', (_request, response) => {
    response.type('text/javascript').send(START);
  });
  app.use('/docs', express.static(absolutePath(), { index: false }));
}
