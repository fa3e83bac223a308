import { type Parameter, writeForm } from './parameters';

/** A callback with more parameters in its query; its own stay as they are. */
export function withParameters(callback: string, parameters: readonly Parameter[]): string {
  const query = callback.indexOf('?');
  const separator = query < 0 ? '?' : /[?&]$/.test(callback) ? '' : '&';
  return `${callback}${separator}${writeForm(parameters)}`;
}
