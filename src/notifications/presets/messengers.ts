import { base, basic, bearer, FORM_BODY, JSON_BODY, optional, type Preset, part, required, serverOf } from './preset';
import { between, first, firstEscaped, htmlLinks, MESSAGE, plainLink, TITLE_WITHOUT_TEXT } from './templates';

/** Telegram counts characters after it has read the markup. */
export const telegram: Preset = {
  name: 'telegram',
  title: 'Telegram',
  documentation: 'https://core.telegram.org/bots/api#sendmessage',
  fields: [
    required({
      name: 'token',
      title: 'Token of the bot',
      help: 'In Telegram: write /newbot to @BotFather, which answers with the token.',
      example: '110201543:AA-example-token-of-a-bot-0123456789',
      pattern: '[0-9]+:[A-Za-z0-9_-]+',
      expected: 'the token of a bot, digits, a colon and letters',
      secret: true,
    }),
    required({
      name: 'chat_id',
      title: 'Chat',
      help: 'The id of the chat, or @ and the name of a public channel. Write to the bot (or add it to the group), open https://api.telegram.org/bot<token>/getUpdates, and copy chat.id; ids of groups begin with a minus.',
      example: '-1001234567890',
      pattern: '-?[0-9]{1,16}|@[A-Za-z0-9_]{4,32}',
      expected: 'the id of a chat, or @ and the name of a public one',
    }),
    optional({
      name: 'thread_id',
      title: 'Topic',
      help: 'The id of a topic in a group with topics: the last number of the link to the topic.',
      example: '42',
      pattern: '[0-9]{1,15}',
      expected: 'the id of a topic, a number',
    }),
    serverOf('Telegram', 'https://api.telegram.org'),
  ],
  fill: ({ token = '', chat_id = '', thread_id, server }, words) => {
    const [bot = '', secret = ''] = token.split(':');
    return {
      destination: `${base(server)}/bot${part(bot)}:{{secrets.token}}/sendMessage`,
      ...{ method: 'POST', headers: {}, secrets: { token: secret }, contentType: JSON_BODY },
      body: {
        chat_id: chat_id.startsWith('@') ? chat_id : Number(chat_id),
        ...(thread_id === undefined ? {} : { message_thread_id: Number(thread_id) }),
        text: `<b>${firstEscaped('title', 100)}</b>\n${firstEscaped(MESSAGE, 1800)}\n${htmlLinks(words)}`,
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
      },
    };
  },
};

/** `m.mentions` without users: then no word of the text is a mention, not even @room. */
export const matrix: Preset = {
  name: 'matrix',
  title: 'Matrix',
  documentation: 'https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid',
  fields: [
    required({
      name: 'server',
      title: 'Homeserver',
      help: 'The address of the homeserver of the account that sends the messages.',
      example: 'https://matrix.example.org',
      format: 'server',
    }),
    required({
      name: 'room_id',
      title: 'Room',
      help: 'In Element: the settings of the room, Advanced, Internal room ID. The account must have joined the room, which must not be encrypted.',
      example: '!exampleRoom0123:example.org',
      pattern: '![^\\s]{1,254}',
      expected: 'the internal id of a room, which begins with !',
    }),
    required({
      name: 'token',
      title: 'Access token',
      help: 'In Element, with an account of its own for this purpose: All settings, Help & About, Access Token.',
      example: 'syt_ZXhhbXBsZQ_aBcDeFgHiJkLmNoPqRsT_0AbCdE',
      pattern: '[!-~]{1,1000}',
      expected: 'an access token',
      secret: true,
    }),
  ],
  fill: ({ server, room_id, token }, words) => ({
    destination: `${base(server)}/_matrix/client/v3/rooms/${part(room_id)}/send/m.room.message/{{webhook_id}}`,
    ...{ method: 'PUT', headers: bearer(token), secrets: {}, contentType: JSON_BODY },
    body: {
      msgtype: 'm.text',
      body: `${first('title', 200)}\n${first(MESSAGE, 4000)}${plainLink(words)}`,
      'm.mentions': {},
    },
  }),
};

/** An SMS is short, because each 70 characters of it cost. */
export const twilio: Preset = {
  name: 'twilio',
  title: 'Twilio (SMS)',
  documentation: 'https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource',
  fields: [
    required({
      name: 'account',
      title: 'Account SID',
      help: 'At console.twilio.com: Account Dashboard, Account Info.',
      example: 'AC0123456789abcdef0123456789abcdef',
      pattern: 'AC[0-9a-f]{32}',
      expected: 'the SID of an account, which begins with AC',
    }),
    required({
      name: 'token',
      title: 'Auth token',
      help: 'Next to the account SID.',
      example: 'fedcba9876543210fedcba9876543210',
      pattern: '[!-~]{1,200}',
      expected: 'an auth token',
      secret: true,
    }),
    required({
      name: 'sender',
      title: 'From',
      help: 'At console.twilio.com: a number of yours under Phone Numbers, Active numbers; or the SID of a messaging service.',
      example: '+15017122661',
      pattern: '\\+[1-9][0-9]{1,14}|MG[0-9a-f]{32}',
      expected: 'a phone number with + and country code, or the SID of a messaging service',
    }),
    required({
      name: 'recipient',
      title: 'To',
      help: 'The phone number that gets the messages.',
      example: '+15558675310',
      pattern: '\\+[1-9][0-9]{1,14}',
      expected: 'a phone number with + and country code',
    }),
    serverOf('Twilio', 'https://api.twilio.com'),
  ],
  fill: ({ account, token, sender = '', recipient, server }) => ({
    destination: `${base(server)}/2010-04-01/Accounts/${part(account)}/Messages.json`,
    ...{ method: 'POST', headers: basic(account, token), secrets: {}, contentType: FORM_BODY },
    body: {
      To: recipient,
      [sender.startsWith('+') ? 'From' : 'MessagingServiceSid']: sender,
      Body: `${TITLE_WITHOUT_TEXT}${first(MESSAGE, 300)}${between('\n', 'acknowledge_url', '')}`,
    },
  }),
};
