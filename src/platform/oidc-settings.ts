import { z } from 'zod';
import { parseUrl } from './parse-url';

const OF_THIS_MACHINE = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const REQUIRED = 'is required with OIDC_ISSUER';

/** What an operator's identity has: a value of the groups claim, or its subject. */
export interface OperatorRule {
  kind: 'group' | 'sub';
  value: string;
}

const entries = (text: string) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

const operatorRules = z
  .string()
  .default('')
  .transform(entries)
  .pipe(
    z.array(z.string().regex(/^(?:group|sub):./, 'must be entries such as group:ops or sub:1084, separated by commas')),
  )
  .transform((list) => list.map(toRule));

/** OpenID Connect, as settings by name. */
export const OIDC_SETTINGS = {
  OIDC_ISSUER: z
    .string()
    .refine(isIssuer, 'must be a URL that begins with https://, or with http:// for this machine, without a query')
    .optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_CREATE_USERS: z.stringbool().default(false),
  OIDC_SECOND_FACTOR: z.enum(['own', 'provider']).default('own'),
  OIDC_GROUPS_CLAIM: z.string().min(1).optional(),
  OIDC_GROUPS: z
    .string()
    .default('')
    .transform(entries)
    .pipe(z.array(z.string().regex(/^.+=[1-9]\d{0,15}$/, 'must be entries such as staff=12, separated by commas')))
    .transform((list) => list.map(toMapping)),
  OIDC_OPERATORS: operatorRules,
  OIDC_VIEWERS: operatorRules,
};

type OidcValues = z.output<z.ZodObject<typeof OIDC_SETTINGS>>;

/** Adds an issue for each setting that needs another one. */
export function checkOidc(values: OidcValues, context: z.RefinementCtx): void {
  const { OIDC_ISSUER, OIDC_GROUPS_CLAIM, OIDC_GROUPS, OIDC_OPERATORS, OIDC_VIEWERS } = values;
  const refuse = (name: keyof OidcValues, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message });
  if (OIDC_ISSUER !== undefined) {
    for (const name of ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const) {
      if (values[name] === undefined) refuse(name, REQUIRED);
    }
  } else if (values.OIDC_SECOND_FACTOR === 'provider')
    refuse('OIDC_ISSUER', 'is required with OIDC_SECOND_FACTOR=provider');
  const readsGroups =
    OIDC_GROUPS.length > 0 || [...OIDC_OPERATORS, ...OIDC_VIEWERS].some(({ kind }) => kind === 'group');
  if (readsGroups && OIDC_GROUPS_CLAIM === undefined) {
    refuse('OIDC_GROUPS_CLAIM', 'is required for groups in OIDC_GROUPS, OIDC_OPERATORS and OIDC_VIEWERS');
  }
}

export type OidcConfig = NonNullable<ReturnType<typeof oidcConfig>>;

/** Undefined without an issuer. */
export function oidcConfig(values: OidcValues) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  return {
    issuer,
    /** For people. */
    host: new URL(issuer).host,
    clientId,
    clientSecret,
    /** Logins by the provider count as ones with a second factor. */
    isSecondFactor: values.OIDC_SECOND_FACTOR === 'provider',
    createsUsers: values.OIDC_CREATE_USERS,
    groupsClaim: values.OIDC_GROUPS_CLAIM,
    groups: values.OIDC_GROUPS,
    operators: { act: values.OIDC_OPERATORS, look: values.OIDC_VIEWERS },
  };
}

/** Plain http would give the secret and all logins to the network. */
function isIssuer(text: string): boolean {
  const url = parseUrl(text);
  if (url?.search !== '' || url.hash !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && OF_THIS_MACHINE.test(url.hostname));
}

function toRule(entry: string): OperatorRule {
  const cut = entry.indexOf(':');
  return { kind: entry.slice(0, cut) === 'group' ? 'group' : 'sub', value: entry.slice(cut + 1) };
}

function toMapping(entry: string) {
  const cut = entry.lastIndexOf('=');
  return { value: entry.slice(0, cut), groupId: Number(entry.slice(cut + 1)) };
}
