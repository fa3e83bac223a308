import type { Parameter } from './parameters';

export type ProblemName =
  | 'version_rejected'
  | 'parameter_absent'
  | 'parameter_rejected'
  | 'timestamp_refused'
  | 'nonce_used'
  | 'signature_method_rejected'
  | 'signature_invalid'
  | 'consumer_key_unknown'
  | 'token_used'
  | 'token_expired'
  | 'token_rejected'
  | 'verifier_invalid'
  | 'permission_unknown'
  | 'permission_denied';

export interface Problem {
  name: ProblemName;
  advice: string;
  more?: readonly (readonly [name: string, value: string])[];
}

export function parametersOf({ name, advice, more = [] }: Problem): Parameter[] {
  return [['oauth_problem', name], ...more, ['oauth_problem_advice', advice]];
}
