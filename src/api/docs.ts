import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Express } from 'express';
import { absolutePath } from 'swagger-ui-dist';
import { StaticDocument } from './static-document';

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>Sensor data platform: API reference</title>
  <link rel="icon" href="/docs/favicon-32x32.png">
  <link rel="stylesheet" href="/docs/swagger-ui.css">
  <link rel="stylesheet" href="/docs/page.css">
</head>
<body>
  <noscript><p>This page needs JavaScript. The document that it shows is at /openapi.json.</p></noscript>
  <div id="reference"></div>
  <script src="/docs/swagger-ui-bundle.js"></script>
  <script src="/docs/start.js"></script>
</body>
</html>
`;

/** Additions to the style sheet of Swagger UI: a page in the system's colours from the start, and room on a phone. */
const STYLE = `body { margin: 0; }
@media (prefers-color-scheme: dark) { html, body { background: #1c2022; color: #e4e6e6; } }
.swagger-ui .markdown code, .swagger-ui .renderedMarkdown code { overflow-wrap: anywhere; }
.swagger-ui .operation-filter-input { box-sizing: border-box; width: 100%; }
html.dark-mode .swagger-ui .headers td { color: #e4e6e6; }
.swagger-ui .response-col_links { display: none; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 10px; }
  .swagger-ui .information-container { padding: 0 10px; }
  .swagger-ui .info { margin: 20px 0; overflow-wrap: anywhere; }
  .swagger-ui .info .title { font-size: 26px; }
  .swagger-ui .scheme-container { padding: 12px 0; }
  .swagger-ui .opblock-tag { flex-wrap: wrap; padding: 10px 0; }
  .swagger-ui .opblock-tag small { flex: 1 0 100%; order: 3; padding: 4px 0 0; }
  .swagger-ui .opblock .opblock-summary-method { min-width: 62px; padding: 6px 4px; font-size: 12px; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: nowrap; }
  .swagger-ui .opblock .opblock-summary-control { min-width: 0; }
  .swagger-ui .opblock .opblock-summary-path-description-wrapper { min-width: 0; }
  .swagger-ui .opblock .opblock-summary-path { max-width: 100%; flex-shrink: 1; overflow-wrap: anywhere; }
  .swagger-ui .opblock-section-header { flex-wrap: wrap; padding: 8px 10px; }
  .swagger-ui .opblock-description-wrapper, .swagger-ui .opblock-external-docs-wrapper,
  .swagger-ui .opblock-title_normal, .swagger-ui .table-container { padding: 10px; overflow-wrap: anywhere; }
  .swagger-ui .table-container { overflow-x: auto; }
  .swagger-ui .responses-inner { padding: 10px; }
  .swagger-ui table thead { display: none; }
  .swagger-ui table tbody tr, .swagger-ui table tbody tr td { display: block; width: auto; max-width: 100%; padding: 2px 0; }
  .swagger-ui .parameters-col_description input, .swagger-ui .parameters-col_description select,
  .swagger-ui .parameters-col_description textarea { box-sizing: border-box; max-width: 100%; width: 100%; }
  .swagger-ui .highlight-code, .swagger-ui .microlight { max-width: 100%; overflow-x: auto; }
  .swagger-ui .dialog-ux .modal-ux { min-width: 0; width: calc(100% - 20px); }
  .swagger-ui .auth-container input { box-sizing: border-box; min-width: 0; width: 100%; }
}
`;

/** Follows the system's dark mode, and adds a filter that opens the tags with matches. */
const START = `const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
paint();
dark.addEventListener('change', paint);

const updateFilter = (original, { specSelectors, layoutActions }) => (phrase) => {
  for (const tag of specSelectors.taggedOperations().keys()) layoutActions.show(['operations-tag', tag], phrase !== '');
  return original(phrase);
};

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  filter: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  validatorUrl: null,
  plugins: [{ statePlugins: { layout: { wrapActions: { updateFilter } } } }],
});
`;

/** The files of the package that the page needs. The package's own page would load a document from another host. */
const PACKAGE_FILES = [
  { name: 'swagger-ui.css', type: 'text/css' },
  { name: 'swagger-ui-bundle.js', type: 'text/javascript' },
  { name: 'favicon-32x32.png', type: 'image/png' },
];

/**
 * Scripts are files of this server. The package also sets styles on elements, and its icons are data in the style
 * sheet.
 */
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

/** Serves `/openapi.json` and the reference page `/docs`. Every file comes from this server. */
export function installDocs(app: Express, openapi: object): void {
  const page = new StaticDocument(PAGE, 'text/html');
  app.get('/docs', (request, response) => page.send(request, response.set('Content-Security-Policy', POLICY)));
  const documents = {
    '/openapi.json': new StaticDocument(JSON.stringify(openapi), 'application/json'),
    '/docs/start.js': new StaticDocument(START, 'text/javascript'),
    '/docs/page.css': new StaticDocument(STYLE, 'text/css'),
    ...Object.fromEntries(
      PACKAGE_FILES.map(({ name, type }) => [
        `/docs/${name}`,
        new StaticDocument(readFileSync(join(absolutePath(), name)), type),
      ]),
    ),
  };
  for (const [path, document] of Object.entries(documents)) {
    app.get(path, (request, response) => document.send(request, response));
  }
}
