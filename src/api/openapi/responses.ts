import { credentialErrorsOf } from './credential-errors';
import type { Example, Header, OpenApiDocument, Operation, Reference, Response } from './document';
import { operationsOf } from './document';
import { COMMON_ERRORS, exampleOf } from './error-examples';

const HEADERS: Record<string, Header> = {
  'X-Request-Id': {
    description: 'The id of this request, which the log of the platform has, too.',
    required: true,
    schema: { type: 'string', format: 'uuid', example: '18a95727-a523-4f29-bb76-c15f3d0e6fc2' },
  },
  Location: {
    description: 'The URL of what was created.',
    required: true,
    schema: { type: 'string', format: 'uri', example: 'https://platform.example.org/sensors/42' },
  },
  'X-SESSION_ID': {
    description: 'The id of the session, the same as in the body.',
    required: true,
    schema: { type: 'string', example: '0aZ3kQ9xWm2Lp7Rt5Yv8Bn4Cd6E' },
  },
  'Set-Cookie': {
    description: 'Sets the cookie `session_id`, or deletes it; absent where a page of another site asks.',
    schema: { type: 'string', example: 'session_id=0aZ3kQ9xWm2Lp7Rt5Yv8Bn4Cd6E; Path=/; HttpOnly; SameSite=Lax' },
  },
  'WWW-Authenticate': {
    description: 'Why a key or a token is refused (RFC 6750); absent where none was sent.',
    schema: { type: 'string', example: 'Bearer error="invalid_token"' },
  },
  'Retry-After': {
    description: 'After how many seconds to try again.',
    schema: { type: 'integer', format: 'int32', example: 5 },
  },
  'RateLimit-Limit': {
    description:
      'How many requests, or data points of uploads, you have in a window: of several limits the one of which least is left. Absent while nothing is limited.',
    schema: { type: 'integer', format: 'int32', example: 600 },
  },
  'RateLimit-Remaining': {
    description: 'How many of them are left.',
    schema: { type: 'integer', format: 'int32', example: 599 },
  },
  'RateLimit-Reset': {
    description: 'In how many seconds all of them are available again; after a refusal, one.',
    schema: { type: 'integer', format: 'int32', example: 42 },
  },
  'RateLimit-Policy': {
    description: 'Each limit and the seconds of its window, separated by commas.',
    schema: { type: 'string', example: '600;w=60' },
  },
};

const RATE_LIMIT = Object.keys(HEADERS).filter((name) => name.startsWith('RateLimit-'));

/** Any operation may answer with these. A controller may use its own words. */
const COMMON_RESPONSES: Record<string, { name: string; status: string; needsBody?: boolean; response: Response }> = {
  413: {
    ...{ name: 'TooLarge', status: '413', needsBody: true },
    response: errorResponse('The body is larger than 10 MB, also when unpacked', {
      too_large: COMMON_ERRORS.too_large,
    }),
  },
  415: {
    ...{ name: 'UnreadableType', status: '415', needsBody: true },
    response: errorResponse('The body is neither JSON nor a form, or its encoding or charset is unknown', {
      unreadable_type: COMMON_ERRORS.unreadable_type,
    }),
  },
  429: {
    ...{ name: 'TooManyRequests', status: '429' },
    response: errorResponse('Too many requests', { rate_limited: COMMON_ERRORS.rate_limited }),
  },
  500: {
    ...{ name: 'InternalError', status: '500' },
    response: errorResponse('A fault of the platform', { internal_error: COMMON_ERRORS.internal_error }),
  },
  503: {
    ...{ name: 'Unavailable', status: '503' },
    response: errorResponse('The database is not available, or too many large bodies are being sent at once', {
      unavailable: COMMON_ERRORS.unavailable,
    }),
  },
};

/** Adds common errors to operations, bodies to errors, and headers to responses. */
export function completeResponses(document: OpenApiDocument): void {
  const { components } = document;
  components.headers = HEADERS;
  components.responses = { OtherError: withHeaders('default', errorResponse('Any other error', {})) };
  for (const { name, status, response } of Object.values(COMMON_RESPONSES)) {
    components.responses[name] = withHeaders(status, response);
  }
  for (const { path, operation } of operationsOf(document)) {
    dropInputErrors(operation);
    addCredentialErrors(operation);
    for (const [status, response] of Object.entries(operation.responses)) {
      if ('$ref' in response) continue;
      addExamples(response, exampleOf(status, path, operation, document), credentialExamples(status, operation));
      operation.responses[status] = withHeaders(status, response);
    }
    addCommonErrors(operation);
  }
}

/**
 * Controllers declare 400 everywhere. An operation without input cannot have wrong input, and an invalid id is a 404.
 */
function dropInputErrors({ requestBody, parameters = [], responses }: Operation): void {
  if (!requestBody && parameters.every((parameter) => parameter.in === 'path')) delete responses['400'];
}

/** Controllers describe what the user may not do. The refusal of a key or token is the same everywhere. */
function addCredentialErrors(operation: Operation): void {
  const { responses } = operation;
  for (const { status, description, code, example } of credentialErrorsOf(operation)) {
    responses[status] ??= errorResponse(description, { [code]: example });
  }
}

function credentialExamples(ofStatus: string, operation: Operation): Record<string, Example> {
  const those = credentialErrorsOf(operation).filter(({ status }) => status === ofStatus);
  return Object.fromEntries(those.map(({ code, example }) => [code, example]));
}

function addCommonErrors({ requestBody, responses }: Operation): void {
  for (const { name, status, needsBody } of Object.values(COMMON_RESPONSES)) {
    if (needsBody && !requestBody) continue;
    responses[status] ??= { $ref: `#/components/responses/${name}` };
  }
  responses.default = { $ref: '#/components/responses/OtherError' };
}

function errorResponse(description: string, examples: Record<string, Example>): Response {
  const schema = { $ref: '#/components/schemas/ErrorBody' };
  return {
    description,
    content: { 'application/json': { schema, ...(Object.keys(examples).length > 0 && { examples }) } },
  };
}

/** The controller's examples by code, or these; and the additional ones. */
function addExamples(
  { content }: Response,
  examples: Record<string, Example>,
  additional: Record<string, Example>,
): void {
  const media = content?.['application/json'];
  if (media?.schema.$ref !== '#/components/schemas/ErrorBody') return;
  const given = Object.values(media.examples ?? {});
  const own = Object.fromEntries(given.map((example) => [String(Object(example.value).code), example]));
  media.examples = { ...(given.length > 0 ? own : examples), ...additional };
}

function withHeaders(status: string, response: Response): Response {
  const isLimited = status.startsWith('2') || status === '429';
  const names = [
    'X-Request-Id',
    ...Object.keys(response.headers ?? {}),
    ...(status === '429' || status === '503' ? ['Retry-After'] : []),
    ...(status === '401' || status === '403' ? ['WWW-Authenticate'] : []),
    ...(isLimited ? RATE_LIMIT : []),
  ];
  const reference = (name: string): Header | Reference =>
    name in HEADERS ? { $ref: `#/components/headers/${name}` } : (response.headers?.[name] ?? { schema: {} });
  return { ...response, headers: Object.fromEntries(names.map((name) => [name, reference(name)])) };
}
