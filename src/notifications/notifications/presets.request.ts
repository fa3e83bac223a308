/**
 * The values that a preset asks for: `GET /notifications/presets` lists the fields of each one. Only next to `preset`.
 */
export interface PresetFields {
  /**
   * The name of a preset, for example `slack`: it fills `destination` and the request from the fields that it asks for.
   * `null`, the default: none.
   * @maxLength 40
   * @example null
   */
  preset?: string | null;
  /**
   * The URL of a webhook, as the service shows it.
   * @maxLength 1000
   * @example "https://hooks.slack.com/services/T0123456789/B0123456789/aBcDeFgHiJkLmNoPqRsTuVwX"
   */
  webhook_url?: string;
  /**
   * The address of the service.
   * @maxLength 1000
   * @example "https://ntfy.sh"
   */
  server?: string;
  /**
   * The address that takes events.
   * @maxLength 1000
   * @example "https://events.example.org/sensors"
   */
  url?: string;
  /**
   * A token of the service.
   * @maxLength 1000
   * @example "AkWcGmDyGs5rGXH"
   */
  token?: string;
  /**
   * The key of an integration.
   * @maxLength 1000
   * @example "01234567-89ab-cdef-0123-456789abcdef"
   */
  api_key?: string;
  /**
   * The key of an integration of PagerDuty.
   * @maxLength 1000
   * @example "R0123456789ABCDEF0123456789ABCDE"
   */
  routing_key?: string;
  /**
   * The key of a configuration.
   * @maxLength 1000
   * @example "greenhouse"
   */
  key?: string;
  /**
   * The id of a webhook of Home Assistant.
   * @maxLength 1000
   * @example "alerts-k3Jx9QmZ0sLrT2vY"
   */
  webhook_id?: string;
  /**
   * The SID of an account of Twilio.
   * @maxLength 1000
   * @example "AC0123456789abcdef0123456789abcdef"
   */
  account?: string;
  /**
   * A user of the server.
   * @maxLength 1000
   * @example "sensors"
   */
  username?: string;
  /**
   * The password of that user.
   * @maxLength 1000
   * @example "correct horse battery staple"
   */
  password?: string;
  /**
   * The key of a user or group.
   * @maxLength 1000
   * @example "uExampleKeyOfAUserOrAGroup0123"
   */
  user?: string;
  /**
   * The phone number that sends, or the SID of a messaging service.
   * @maxLength 1000
   * @example "+15017122661"
   */
  sender?: string;
  /**
   * The phone number that gets the messages.
   * @maxLength 1000
   * @example "+15558675310"
   */
  recipient?: string;
  /**
   * The id of a chat.
   * @maxLength 1000
   * @example "-1001234567890"
   */
  chat_id?: string;
  /**
   * The id of a topic in a chat.
   * @maxLength 1000
   * @example "42"
   */
  thread_id?: string;
  /**
   * The id of a room.
   * @maxLength 1000
   * @example "!exampleRoom0123:example.org"
   */
  room_id?: string;
  /**
   * The name of a topic.
   * @maxLength 1000
   * @example "greenhouse-7fK2pQ9x"
   */
  topic?: string;
  /**
   * Only the services with this tag get the messages.
   * @maxLength 1000
   * @example "devops"
   */
  tag?: string;
}

/** A preset and its values, apart from the other fields of a notification. */
export function splitPreset<T extends PresetFields>(fields: T) {
  const { preset, webhook_url, server, url, token, api_key, routing_key, key, webhook_id, account, ...rest } = fields;
  const { username, password, user, sender, recipient, chat_id, thread_id, room_id, topic, tag, ...own } = rest;
  const values = {
    ...{ webhook_url, server, url, token, api_key, routing_key, key, webhook_id, account, username, password, user },
    ...{ sender, recipient, chat_id, thread_id, room_id, topic, tag },
  };
  return { preset: preset || null, values, own };
}
