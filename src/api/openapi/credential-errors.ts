import {
  type Example,
  type MediaType,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  resolve,
  type Schema,
} from './document';
import { error } from './error-examples';

export interface CredentialError {
  status: '401' | '403';
  description: string;
  code: string;
  example: Example;
}

const NO_SESSION: CredentialError = {
  ...{ status: '401', description: 'No valid session', code: 'no_session' },
  example: error('a valid session is required', 'no_session'),
};
const INVALID_TOKEN: CredentialError = {
  ...{ status: '401', description: 'No valid session, key or token', code: 'invalid_token' },
  example: error('the key or token is unknown, or has ended', 'invalid_token'),
};
const SESSION_REQUIRED: CredentialError = {
  ...{ status: '403', description: 'A key or a token does not reach the account', code: 'session_required' },
  example: error('this requires a session: keys and tokens do not reach the account', 'session_required'),
};

const ACCOUNT_DISABLED: CredentialError = {
  ...{ status: '403', description: 'The account is disabled', code: 'account_disabled' },
  example: error('this account is disabled; ask the operators of this platform', 'account_disabled'),
};

/** Errors follow from the ways to authenticate. */
export function credentialErrorsOf({ security }: Operation): CredentialError[] {
  if (security.length === 0) return [];
  const scope = security.flatMap((ways) => Object.values(ways).flat())[0];
  const own = scope === undefined ? [SESSION_REQUIRED] : [INVALID_TOKEN, insufficientScope(scope)];
  return [NO_SESSION, ...own, ACCOUNT_DISABLED];
}

function insufficientScope(scope: string): CredentialError {
  return {
    ...{ status: '403', description: `The key or token lacks the scope \`${scope}\``, code: 'insufficient_scope' },
    example: error(`this requires the scope ${scope}`, 'insufficient_scope'),
  };
}

/** `sensor[name]=x` for `{"sensor":{"name":"x"}}`. */
export function addForms(document: OpenApiDocument): void {
  for (const { operation } of operationsOf(document)) addForm(operation, document);
}

function addForm({ requestBody }: Operation, document: OpenApiDocument): void {
  const json = requestBody?.content['application/json'];
  // A document of YAML is no form.
  if (!requestBody || !json || requestBody.content['application/yaml']) return;
  requestBody.content['application/x-www-form-urlencoded'] = {
    schema: json.schema,
    ...encodingOf(json.schema, document),
  };
}

/** OpenAPI knows brackets for fields only. The document's description explains lists. */
function encodingOf(schema: Schema, document: OpenApiDocument): Pick<MediaType, 'encoding'> {
  const records = Object.entries(resolve(schema, document).properties ?? {}).filter(
    ([, property]) => resolve(property, document).properties !== undefined,
  );
  if (records.length === 0) return {};
  return { encoding: Object.fromEntries(records.map(([name]) => [name, { style: 'deepObject', explode: true }])) };
}
