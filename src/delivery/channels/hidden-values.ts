import { HIDDEN } from '../../rules/webhook-request';
import type { OutgoingDelivery } from './channel';

/** A shorter value is part of too many other words. */
const MIN_LENGTH = 4;

/**
 * Returns a function that hides the secrets of a delivery in a text: those of its owner, and the token of the link that
 * acknowledges it. It finds them as they are, in JSON, in a form and in a URL.
 */
export function hiderFor({ request, acknowledgeUrl }: OutgoingDelivery): (text: string) => string {
  const values = [...Object.values(request?.secrets ?? {}), ...Object.values(request?.headers ?? {})];
  const token = acknowledgeUrl?.split('token=')[1];
  const hidden = [...values, ...(token === undefined ? [] : [token])].filter((value) => value.length >= MIN_LENGTH);
  const forms = [...new Set(hidden.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  return (text) => forms.reduce((shown, form) => shown.replaceAll(form, HIDDEN), text);
}

function formsOf(value: string): string[] {
  const form = new URLSearchParams({ '': value }).toString().slice(1);
  return [value, JSON.stringify(value).slice(1, -1), form, encodeURIComponent(value)];
}
