import { JSON_BODY, type Preset, required } from './preset';
import { hideParameters } from './secret-urls';
import { byUrgency, COLOUR, EPISODE_KEY, first, firstEscaped, htmlLinks, MESSAGE } from './templates';

/** A repeated attempt makes no second message, and an end follows its firing in its thread. */
const PARAMETERS = '&messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD&requestId={{webhook_id}}';

export const googlechat: Preset = {
  name: 'googlechat',
  title: 'Google Chat',
  documentation: 'https://developers.google.com/workspace/chat/quickstart/webhooks',
  fields: [
    required({
      name: 'webhook_url',
      title: 'Webhook URL',
      help: 'In Google Chat: the name of the space, Apps & integrations, Webhooks, Add webhook; then Copy link.',
      example:
        'https://chat.googleapis.com/v1/spaces/AAAAbCdEfGh/messages?key=AIzaSyAbCdEfGhIjKlMnOpQrStUvWxYz0123456&token=aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789aBcDeFg',
      pattern: '.+/messages\\?(?=.*key=[^&#]+)(?=.*token=[^&#]+).+',
      expected: 'the whole URL, which holds key=<key> and token=<token>',
      ...{ secret: true, format: 'url' },
    }),
  ],
  fill: ({ webhook_url = '' }, words) => {
    const { url, secrets } = hideParameters(webhook_url, ['key', 'token']);
    const links = `<font color="${byUrgency(COLOUR)}">●</font> ${htmlLinks(words)}`;
    const widgets = [{ textParagraph: { text: firstEscaped(MESSAGE, 3000) } }, { textParagraph: { text: links } }];
    const card = { header: { title: first('title', 200) }, sections: [{ widgets }] };
    return {
      ...{ destination: url + PARAMETERS, method: 'POST', headers: {}, secrets, contentType: JSON_BODY },
      body: { cardsV2: [{ cardId: 'alert', card }], thread: { threadKey: EPISODE_KEY } },
    };
  },
};
