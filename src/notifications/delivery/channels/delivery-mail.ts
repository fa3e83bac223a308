import type { OutgoingDelivery } from './channel';
import { contentOf } from './mail-content';
import { toHtml, toText } from './mail-layout';
import type { Mail } from './mail-transport';

/**
 * The plain part is exactly the user's text. The HTML part begins with it and describes what happened. Without a text,
 * both describe what happened.
 */
export function toMail(delivery: OutgoingDelivery, publicUrl: string): Mail {
  const { webhookId, destination, firstMailId, unsubscribeUrl, acknowledgeUrl, words } = delivery;
  const content = contentOf(delivery, publicUrl);
  const links = { acknowledgeUrl, unsubscribeUrl };
  return {
    id: webhookId,
    ...(firstMailId !== undefined && { firstId: firstMailId }),
    to: destination,
    subject: content.subject,
    text: content.text === '' ? toText(content, links, words) : content.text,
    html: toHtml(content, links, words),
    headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribeUrl) },
  };
}

/** One-click unsubscription (RFC 8058). */
function unsubscribeHeaders(unsubscribeUrl: string | undefined): Record<string, string> {
  if (unsubscribeUrl === undefined) return {};
  return { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}
