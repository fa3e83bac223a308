import { addForms } from './openapi/credential-errors';
import type { OpenApiDocument } from './openapi/document';
import { describeFormats } from './openapi/formats';
import { FREE_SCHEMAS } from './openapi/free-schemas';
import { splitListOrSingle } from './openapi/lists';
import { describeParameters } from './openapi/parameters';
import { completeResponses } from './openapi/responses';
import { closeRequests, mapSchemas, pruneSchemas, toSchema31 } from './openapi/schemas';
import { describeSecurity } from './openapi/security';
import { WEBHOOKS } from './openapi/webhooks';

/** tsoa's output as OpenAPI 3.1, with rules of all operations, and schemas as strict as a program's types. */
export function completeDocument(generated: object): OpenApiDocument {
  const document = structuredClone(generated) as OpenApiDocument; // tsoa writes it in this form
  document.openapi = '3.1.0';
  document.info.license = { name: 'MIT', identifier: 'MIT' };
  document.webhooks = WEBHOOKS;
  mapSchemas(document, toSchema31);
  Object.assign(document.components.schemas, FREE_SCHEMAS);
  splitListOrSingle(document);
  closeRequests(document);
  describeSecurity(document);
  describeFormats(document);
  describeParameters(document);
  completeResponses(document);
  addForms(document);
  pruneSchemas(document);
  return document;
}
