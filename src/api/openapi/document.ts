export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  nullable?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  additionalProperties?: boolean | Schema;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  maxProperties?: number;
  title?: string;
  deprecated?: boolean;
  description?: string;
  example?: unknown;
  examples?: unknown[];
}

export interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
}

export interface Example {
  summary?: string;
  value: unknown;
}

export interface MediaType {
  schema: Schema;
  examples?: Record<string, Example>;
  encoding?: Record<string, { style: string; explode: boolean }>;
}

export interface Reference {
  $ref: string;
}

export interface Header {
  description?: string;
  required?: boolean;
  schema: Schema;
}

export interface Response {
  description: string;
  headers?: Record<string, Header | Reference>;
  content?: Record<string, MediaType>;
}

export interface Operation {
  operationId: string;
  summary?: string;
  tags?: string[];
  deprecated?: boolean;
  /** One of these is required; none if the list is empty. */
  security: SecurityRequirement[];
  description?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; description?: string; content: Record<string, MediaType> };
  responses: Record<string, Response | Reference>;
}

/** All are required, each with its scopes. */
export type SecurityRequirement = Record<string, string[]>;

export interface OpenApiDocument {
  openapi: string;
  info: { description?: string; license?: object };
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, object>;
  security?: SecurityRequirement[];
  components: {
    schemas: Record<string, Schema>;
    responses?: Record<string, Response>;
    headers?: Record<string, Header>;
  };
}

export function operationsOf({ paths }: OpenApiDocument): { path: string; method: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** What a reference points to, or the schema itself. */
export function resolve(schema: Schema, { components }: OpenApiDocument): Schema {
  return schema.$ref === undefined ? schema : (components.schemas[nameIn(schema.$ref)] ?? {});
}

export function nameIn(reference: string): string {
  return decodeURIComponent(reference.slice(reference.lastIndexOf('/') + 1));
}

export function bodyOf({ requestBody }: Operation): Schema | undefined {
  return requestBody?.content['application/json']?.schema;
}
