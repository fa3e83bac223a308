import { objectIn, type ServiceRules } from './service';

const WEBHOOK = 'alerts-k3Jx9QmZ0sLrT2vY';

/**
 * The trigger reads JSON by the content type: https://www.home-assistant.io/docs/automation/trigger/#webhook-trigger.
 * Every request is answered 200, also one for an unknown id, "to not give away if a hook exists or not":
 * https://github.com/home-assistant/core/blob/dev/homeassistant/components/webhook/__init__.py. It has no rate limit; a
 * proxy before it may have one.
 */
export const homeassistant: ServiceRules = {
  preset: 'homeassistant',
  values: (url) => ({ server: url, webhook_id: WEBHOOK }),
  tooMany: (seconds) => ({ status: 429, headers: { 'Retry-After': String(seconds) } }),
  take: (request) => {
    const data = objectIn(request, { status: 200 });
    const isKnown = request.path.join('/') === `api/webhook/${WEBHOOK}`;
    const { title, message, severity, episode, state } = isKnown ? data : { title: '', message: 'no automation' };
    const shown = {
      ...{ title: String(title), text: String(message), urgency: String(severity), key: String(episode) },
      ...{ isEnd: state === 'resolved', whole: JSON.stringify(data) },
    };
    return { shown, answer: { status: 200 } };
  },
};
