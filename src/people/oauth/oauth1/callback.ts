import { type Parameter, writeForm } from '../../../platform/oauth1/parameters';

/** Parameters of the callback do not change. */
export function withParameters(callback: string, parameters: readonly Parameter[]): string {
  const query = callback.indexOf('?');
  const separator = query < 0 ? '?' : /[?&]$/.test(callback) ? '' : '&';
  return `${callback}${separator}${writeForm(parameters)}`;
}
