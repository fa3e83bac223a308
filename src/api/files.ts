import { ConsoleFiles } from './console-files';
import type { OpenApiDocument } from './openapi/document';
import { type SendFile, StaticDocument } from './static-document';

/** `/openapi.json` and the console's files, each in exactly one spelling. */
export function buildFiles(openapi: OpenApiDocument): (method: string, path: string) => SendFile | undefined {
  const document = new StaticDocument(JSON.stringify(openapi), 'application/json');
  const consoleFiles = new ConsoleFiles();
  return (method, path) => {
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    if (path === '/openapi.json') return (request, response) => document.send(request, response);
    return path.startsWith('/console/') ? consoleFiles.find(path.slice('/console/'.length)) : undefined;
  };
}
