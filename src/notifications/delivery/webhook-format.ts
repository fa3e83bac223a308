/** Format of the body of a delivery to a URL: a form, as in the specification, or JSON. */
export type WebhookFormat = 'form' | 'json';
