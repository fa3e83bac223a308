import { type Html, html } from '../../platform/html';
import { bodyOf, type OpenApiDocument, type Operation } from '../openapi/document';
import { codeBlock } from './code-block';
import { compactJson } from './compact-json';
import { composeExample } from './example-request';
import { fieldsOf, parametersOf } from './fields';
import { renderText } from './markdown';

/** Requests to receivers. */
export function webhooksOf({ webhooks = {} }: OpenApiDocument): Operation[] {
  return Object.values(webhooks).flatMap((methods) => Object.values(methods));
}

export function describeWebhook(webhook: Operation, document: OpenApiDocument): Html {
  const { operationId, summary, description = '', parameters = [], requestBody, responses } = webhook;
  const form = requestBody?.content['application/x-www-form-urlencoded']?.schema;
  const json = bodyOf(webhook);
  return html`<section class="operation" aria-labelledby="${operationId}">
<h2 id="${operationId}">${summary}</h2>
<p class="path"><span class="method post">POST</span> to the <code>destination</code> of the notification</p>
<div>
${renderText(description)}
<h3>Headers</h3>${parametersOf(parameters, document)}
${form && html`<h3>Fields of a form</h3>${fieldsOf(form, document)}`}
${json && html`<h3>Fields in JSON</h3>${fieldsOf(json, document)}`}
<h3>Your answer</h3>
<ul class="fields">${Object.entries(responses).map(
    ([status, response]) =>
      html`<li><code class="name">${status}</code> ${'description' in response && renderText(response.description)}</li>
`,
  )}</ul>
</div>
<div class="samples"><h3>JSON</h3>${json && codeBlock(compactJson(composeExample(json, document)))}</div>
</section>
`;
}
