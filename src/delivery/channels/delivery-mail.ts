import type { OutgoingDelivery } from './channel';
import { contentOf } from './mail-content';
import { toHtml, toText } from './mail-layout';
import type { Mail } from './mail-transport';

/**
 * A delivery as a mail. Its plain part is exactly the text that its user has written; its HTML part begins with that, and says what
 * happened. Without a text both parts do.
 */
export function toMail(delivery: OutgoingDelivery, publicUrl: string): Mail {
  const { webhookId, destination, unsubscribeUrl, acknowledgeUrl } = delivery;
  const content = contentOf(delivery, publicUrl);
  const links = { acknowledgeUrl, unsubscribeUrl };
  return {
    id: webhookId,
    to: destination,
    subject: content.subject,
    text: content.text === '' ? toText(content, links) : content.text,
    html: toHtml(content, links),
    headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribeUrl) },
  };
}

/** The headers by which mail programs offer to unsubscribe with one click (RFC 8058). */
function unsubscribeHeaders(unsubscribeUrl: string | undefined): Record<string, string> {
  if (unsubscribeUrl === undefined) return {};
  return { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}
