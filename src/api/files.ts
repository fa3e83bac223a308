import type { Request } from 'express';
import { ConsoleFiles } from './console-files';
import type { OpenApiDocument } from './openapi/document';
import { type SendFile, StaticDocument } from './static-document';

/** `/openapi.json` and the console's files, each in exactly one spelling. */
export function buildFiles(openapi: OpenApiDocument): (request: Request) => SendFile | undefined {
  const document = new StaticDocument(JSON.stringify(openapi), 'application/json');
  const consoleFiles = new ConsoleFiles();
  return ({ method, url }) => {
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const [path = ''] = url.split('?', 1);
    if (path === '/openapi.json') return (request, response) => document.send(request, response);
    return path.startsWith('/console/') ? consoleFiles.find(path.slice('/console/'.length)) : undefined;
  };
}
