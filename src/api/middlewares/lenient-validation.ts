import type { TsoaRoute } from '@tsoa/runtime';
import { type FieldErrors, ValidateError } from '@tsoa/runtime';
import type { Request } from 'express';
import { LenientReader } from '../../edge/models/lenient-reader';
import { isRecord } from '../../platform/is-record';
import { withWrapper } from './wrapper-key';

/** Passed on unchanged to readers of their own: a faster one of points, and one of documents. */
export const UNCHECKED_BODIES: ReadonlySet<string> = new Set([
  'DataPointsUpload',
  'SensorsDataUpload',
  'ProtocolBody',
  'RuleSetDocument',
  'ArchiveFile',
]);

export function validateArguments(
  args: Record<string, TsoaRoute.ParameterSchema>,
  request: Request,
  models: TsoaRoute.Models,
): unknown[] {
  const reader = new LenientReader(models);
  const values = Object.values(args).map((schema) => readArgument(reader, schema, request, models));
  if (Object.keys(reader.errors).length > 0) {
    const fields: FieldErrors = {};
    for (const [path, message] of Object.entries(reader.errors)) fields[path] = { message };
    throw new ValidateError(fields, '');
  }
  return values;
}

function readArgument(
  reader: LenientReader,
  schema: TsoaRoute.ParameterSchema,
  request: Request,
  models: TsoaRoute.Models,
): unknown {
  switch (schema.in) {
    case 'query':
      return reader.read(schema, queryValue(request, schema), schema.name);
    case 'queries':
      return reader.read(schema, parametersOf(request), '');
    case 'path':
      return reader.read(schema, request.params[schema.name], schema.name);
    case 'header':
      return reader.read(schema, request.header(schema.name), schema.name);
    case 'body':
      return readBody(reader, schema, request.body, models);
    case 'body-prop':
      return reader.read(schema, Reflect.get(Object(request.body), schema.name), schema.name);
    case 'request':
      return request;
    default:
      throw new Error(`parameters in ${schema.in} are not supported`);
  }
}

/** Parameters in the body take precedence. */
function parametersOf(request: Request): Record<string, unknown> {
  const body: unknown = request.body;
  return isRecord(body) ? { ...request.query, ...body } : { ...request.query };
}

/** Lists may have brackets: `sensor_id[]=1&sensor_id[]=2`. */
function queryValue(request: Request, schema: TsoaRoute.ParameterSchema): unknown {
  return request.query[schema.name] ?? request.query[`${schema.name}[]`];
}

function readBody(
  reader: LenientReader,
  schema: TsoaRoute.ParameterSchema,
  body: unknown,
  models: TsoaRoute.Models,
): unknown {
  if (schema.ref !== undefined && UNCHECKED_BODIES.has(schema.ref)) return body;
  if (!isRecord(body)) {
    reader.errors.body = 'must be an object';
    return undefined;
  }
  return reader.read(schema, withWrapper(models, schema.ref, body), '');
}
