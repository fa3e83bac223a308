import { type Html, html } from '../../platform/html';
import { type OpenApiDocument, operationsOf } from '../openapi/document';
import type { PlacedOperation } from './example-request';
import type { DocsPage, PageLink } from './layout';
import { plainTextOf, renderText } from './markdown';
import { describeOperation } from './operation';
import type { SearchEntry } from './search';
import { describeWebhook, webhooksOf } from './webhook';

/** What a newcomer needs first; other tags follow in the order of the document. */
const FIRST_TAGS = ['Data points', 'Sensors', 'Triggers', 'Sensor triggers', 'Notifications', 'Firings', 'Deliveries'];
/** What a newcomer needs first; other operations of a tag follow in the order of the document. */
const FIRST_OPERATIONS = [
  ...['uploadData', 'readData', 'uploadSensorsData', 'readSensorsData', 'addData', 'deleteData', 'deleteDataRange'],
  ...['createSensor', 'listSensors', 'getSensor', 'updateSensor', 'deleteSensor'],
  ...['createTrigger', 'listTriggers', 'getTrigger', 'updateTrigger', 'deleteTrigger', 'backtestRule'],
  ...['connectTriggers', 'listSensorTriggers', 'getSensorTrigger', 'connectNotifications'],
  ...['createNotification', 'listNotifications', 'testNotification', 'previewNotification'],
  ...['login', 'logout', 'createUser', 'findSensors', 'createGroup', 'createEnvironment', 'createKey'],
];
const FOLDER = 'docs/reference';
const WEBHOOKS = `${FOLDER}/webhooks`;

interface TagPage extends PageLink {
  description: string;
  operations: readonly PlacedOperation[];
}

export class ApiReference {
  private readonly pages: readonly TagPage[];

  /** `publicUrl` is the address in examples. */
  constructor(
    private readonly document: OpenApiDocument,
    private readonly publicUrl: string | undefined,
  ) {
    this.pages = pagesOf(document);
  }

  get links(): readonly PageLink[] {
    return [
      { path: FOLDER, label: 'Conventions' },
      ...this.pages.map(({ path, label }) => ({ path, label })),
      { path: WEBHOOKS, label: 'Requests to receivers' },
    ];
  }

  /** Undefined if there is none. */
  find(path: string): DocsPage | undefined {
    if (path === FOLDER) return this.start();
    if (path === WEBHOOKS) return this.webhooks();
    const page = this.pages.find((one) => one.path === path);
    if (!page) return undefined;
    const { label, description, operations } = page;
    return {
      ...{ path, title: label, windowTitle: `${label}: API reference`, wide: true },
      lead: html`<p>${description}</p>`,
      headings: operations.map(({ operation }) => ({
        level: 2,
        id: operation.operationId,
        text: operation.summary ?? '',
      })),
      body: html`${operations.map((one) => describeOperation(one, this.document, this.publicUrl))}`,
    };
  }

  private webhooks(): DocsPage {
    const webhooks = webhooksOf(this.document);
    return {
      ...{ path: WEBHOOKS, title: 'Requests to receivers', windowTitle: 'Webhooks: API reference', wide: true },
      lead: html`<p>What the platform sends to your URLs. <a href="../webhooks">Webhooks</a> shows how to verify it.</p>`,
      headings: webhooks.map(({ operationId, summary = '' }) => ({ level: 2, id: operationId, text: summary })),
      body: html`${webhooks.map((webhook) => describeWebhook(webhook, this.document))}`,
    };
  }

  /** Operations, and requests to receivers. */
  *entries(): Generator<SearchEntry> {
    for (const { path, label, operations } of this.pages) {
      for (const { operation, method, path: place } of operations) {
        yield {
          address: `${path}#${operation.operationId}`,
          page: `API reference: ${label}`,
          title: operation.summary ?? operation.operationId,
          alias: operation.operationId,
          content: `${method.toUpperCase()} ${place}. ${plainTextOf(operation.description ?? '')}`,
        };
      }
    }
    for (const { operationId, summary = operationId, description = '' } of webhooksOf(this.document)) {
      const address = `${WEBHOOKS}#${operationId}`;
      yield { address, page: 'API reference: Webhooks', title: summary, content: plainTextOf(description) };
    }
  }

  private start(): DocsPage {
    const { description = '' } = this.document.info;
    return {
      ...{ path: FOLDER, title: 'API reference', wide: true },
      body: html`${renderText(description)}
<p>Programs read the <a href="../openapi.json">OpenAPI 3.1 document</a>, from which this reference is made.</p>
<h2 id="headers">Headers of every answer</h2>
${headersOf(this.document)}
<h2 id="errors">Errors of every operation</h2>
<ul class="fields">${commonErrorsOf(this.document)}</ul>
<h2 id="operations">All operations</h2>
${this.pages.map(
  ({
    path,
    label,
    description: about,
    operations,
  }) => html`<h3><a href="../${path}">${label}</a></h3><p class="quiet">${about}</p>
<ul class="operations">${operations.map((one) => operationLink(one, `../${path}`))}</ul>
`,
)}`,
    };
  }
}

function pagesOf(document: OpenApiDocument): TagPage[] {
  const operations = operationsOf(document);
  return inOrder(document.tags ?? [], ({ name }) => FIRST_TAGS.indexOf(name)).map(({ name, description = '' }) => ({
    path: `${FOLDER}/${name.toLowerCase().replaceAll(' ', '-')}`,
    label: name,
    description,
    operations: inOrder(
      operations.filter(({ operation }) => operation.tags?.includes(name)),
      ({ operation }) => FIRST_OPERATIONS.indexOf(operation.operationId),
    ),
  }));
}

/** Things with a place come first. */
function inOrder<T>(things: readonly T[], placeOf: (thing: T) => number): T[] {
  const place = (thing: T) => (placeOf(thing) < 0 ? Number.POSITIVE_INFINITY : placeOf(thing));
  return [...things].sort((one, other) => (place(one) === place(other) ? 0 : place(one) - place(other)));
}

function operationLink({ operation, method, path }: PlacedOperation, page: string): Html {
  return html`<li><a href="${page}#${operation.operationId}"><strong>${operation.summary}</strong>
<span><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></span></a></li>
`;
}

/** Headers of almost every response, said once. */
function headersOf({ components }: OpenApiDocument): Html {
  const common = Object.entries(components.headers ?? {}).filter(([name]) =>
    /^(X-Request-Id|RateLimit-|Retry-After)/.test(name),
  );
  return html`<ul class="fields">${common.map(
    ([name, { description = '', schema }]) =>
      html`<li><code class="name">${name}</code>${renderText(description)}<p class="small quiet">Example: <code>${String(schema.example)}</code></p></li>
`,
  )}</ul>`;
}

function commonErrorsOf({ components }: OpenApiDocument): Html[] {
  return Object.entries(components.responses ?? {}).map(([name, response]) => {
    const example = Object.values(response.content?.['application/json']?.examples ?? {})[0];
    return html`<li><code class="name">${Object(example?.value).code ?? name}</code> ${response.description}</li>
`;
  });
}
