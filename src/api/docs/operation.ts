import { type Html, html } from '../../platform/html';
import { bodyOf, type OpenApiDocument, type Operation, type Response } from '../openapi/document';
import { codeBlock } from './code-block';
import { compactJson } from './compact-json';
import { composeExample, exampleRequest, type PlacedOperation, successContent } from './example-request';
import { fieldsOf, parametersOf } from './fields';
import { renderText } from './markdown';
import { LOCAL_ADDRESS, samplesOf } from './samples';
import { snippetsOf } from './snippets';

/** The start of the reference describes these once. */
const COMMON_STATUSES: readonly string[] = ['413', '415', '429', '500', '503', 'default'];

export function describeOperation(placed: PlacedOperation, document: OpenApiDocument, publicUrl?: string): Html {
  const { operation, path, method } = placed;
  const texts = snippetsOf(exampleRequest(placed, document), publicUrl ?? LOCAL_ADDRESS);
  return html`<section class="operation" aria-labelledby="${operation.operationId}">
<h2 id="${operation.operationId}">${operation.summary} <a class="anchor" href="#${operation.operationId}" aria-label="Link to this section: ${operation.summary}">#</a></h2>
<p class="path"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></p>
<div>
${operation.deprecated && html`<p class="required">Deprecated.</p>`}
${renderText(operation.description ?? '')}
<p class="small quiet">${credentialOf(operation)}</p>
${parametersIn(operation, document)}
${bodyIn(operation, document)}
${answersOf(operation, document)}
</div>
<div class="samples">
${samplesOf(operation.operationId, texts, publicUrl)}
${answerSample(operation, document)}
</div>
</section>
`;
}

function credentialOf({ security }: Operation): Html {
  const scopes = security.find((one) => 'key' in one)?.key ?? [];
  if (security.length === 0) return html`Needs no credential.`;
  if (scopes.length === 0) return html`Needs a session.`;
  return html`Needs a session, or a key or token with the scope <code>${scopes.join(', ')}</code>.`;
}

function parametersIn({ parameters = [] }: Operation, document: OpenApiDocument): Html {
  const kinds = [
    ['path', 'In the path'],
    ['query', 'In the query'],
    ['header', 'Headers'],
  ] as const;
  return html`${kinds.map(([kind, title]) => {
    const own = parameters.filter((parameter) => parameter.in === kind);
    return html`${own.length > 0 && html`<h3>${title}</h3>${parametersOf(own, document)}`}`;
  })}`;
}

function bodyIn(operation: Operation, document: OpenApiDocument): Html {
  const schema = bodyOf(operation);
  if (operation.requestBody?.content?.['application/zip']) return html`<h3>Body</h3><p>The file, as it is.</p>`;
  if (!schema) return html``;
  const types = Object.keys(operation.requestBody?.content ?? {});
  const others = types.filter((type) => type === 'text/csv' || type === 'application/x-ndjson');
  return html`<h3>Body</h3>${others.length > 0 && html`<p class="small quiet">JSON as below, or ${others.join(' or ')}.</p>`}${fieldsOf(schema, document)}`;
}

function answersOf(operation: Operation, document: OpenApiDocument): Html {
  const responses = Object.entries(operation.responses).filter(
    (entry): entry is [string, Response] => !('$ref' in entry[1]) && !COMMON_STATUSES.includes(entry[0]),
  );
  const schema = successContent(operation)?.['application/json']?.schema;
  return html`<h3>Answers</h3>
<ul class="fields">${responses.map(
    ([status, response]) =>
      html`<li><code class="name">${status}</code> ${response.description} ${codesOf(response).map((code) => html` <code>${code}</code>`)}</li>
`,
  )}</ul>
${schema && html`<details><summary>Fields of the answer</summary>${fieldsOf(schema, document)}</details>`}`;
}

/** Codes of an error, for programs. */
function codesOf({ content }: Response): string[] {
  const examples = Object.values(content?.['application/json']?.examples ?? {});
  return examples.flatMap(({ value }) => Object(value).code ?? []).map(String);
}

function answerSample(operation: Operation, document: OpenApiDocument): Html {
  const [[type, media] = []] = Object.entries(successContent(operation) ?? {});
  if (!type || !media) return html``;
  const lines = Object.values(media.examples ?? {})[0]?.value;
  const text = type === 'application/json' ? compactJson(composeExample(media.schema, document)) : lines;
  return html`<h3>Answer</h3>${codeBlock(String(text).trimEnd())}`;
}
