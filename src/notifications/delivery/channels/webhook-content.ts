import type { Steps } from '../../../platform/steps';
import { compileUrl } from '../../requests/url-template';
import { FORM_TYPE, JSON_TYPE } from '../../requests/webhook-body';
import { hasTemplates, renderBody } from '../../requests/webhook-request';
import type { OutgoingDelivery } from './channel';
import { renderingOf } from './template-values';
import { formOf } from './webhook-form';
import { jsonOf } from './webhook-json';

/** Without the headers of the platform. */
export interface WebhookContent {
  /** Null if the templates of the destination cannot be used. */
  url: string | null;
  contentType: string;
  body: string;
  /** Why parts are empty. */
  note?: string;
}

/** Uses templates, otherwise the format of the notification. */
export function* webhookContentOf(delivery: OutgoingDelivery, publicUrl: string): Steps<WebhookContent> {
  const { destination, request } = delivery;
  const body = request?.body ?? null;
  yield;
  if (!hasTemplates({ destination, body })) return { url: destination, ...plainContent(delivery) };
  const rendering = renderingOf(delivery, publicUrl);
  const compiled = compileUrl(destination);
  const url = 'problem' in compiled ? null : yield* compiled.url.render(rendering);
  yield;
  const contentType = request?.contentType ?? JSON_TYPE;
  const content =
    body === null ? plainContent(delivery) : { contentType, body: yield* renderBody(contentType, body, rendering) };
  const problems = [...rendering.problems];
  return { url, ...content, ...(problems.length > 0 && { note: problems.join('; ') }) };
}

function plainContent(delivery: OutgoingDelivery): { contentType: string; body: string } {
  if (delivery.format === 'json') return { contentType: JSON_TYPE, body: jsonOf(delivery) };
  return { contentType: FORM_TYPE, body: new URLSearchParams(formOf(delivery)).toString() };
}
