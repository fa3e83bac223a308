/** How the body of a delivery to a URL is written: as a form, as the specification says, or as JSON. */
export type WebhookFormat = 'form' | 'json';
