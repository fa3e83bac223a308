import { ConsoleFiles } from './console-files';
import type { OpenApiDocument } from './openapi/document';
import { ruleSetSchema } from './openapi/rule-set-schema';
import { type SendFile, StaticDocument } from './static-document';

/** `/openapi.json`, `/rules.schema.json` and the console's files, each in exactly one spelling. */
export function buildFiles(openapi: OpenApiDocument): (method: string, path: string) => SendFile | undefined {
  const document = new StaticDocument(JSON.stringify(openapi), 'application/json');
  const schema = new StaticDocument(JSON.stringify(ruleSetSchema(openapi)), 'application/schema+json');
  const consoleFiles = new ConsoleFiles();
  return (method, path) => {
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    if (path === '/openapi.json') return (request, response) => document.send(request, response);
    if (path === '/rules.schema.json') return (request, response) => schema.send(request, response);
    return path.startsWith('/console/') ? consoleFiles.find(path.slice('/console/'.length)) : undefined;
  };
}
