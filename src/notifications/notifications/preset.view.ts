import { PRESETS } from '../presets';
import type { Preset } from '../presets/preset';

/** A field that a preset asks for. */
export interface PresetFieldView {
  /**
   * Name of the field of the notification.
   * @example "webhook_url"
   */
  name: string;
  /**
   * A label for the field.
   * @example "Webhook URL"
   */
  title: string;
  /**
   * What the value is, and where to find it.
   * @example "In Mattermost: the menu at the top left, Integrations, Incoming Webhooks, Add Incoming Webhook."
   */
  help: string;
  /**
   * Whether the value is kept encrypted and not shown again.
   * @example true
   */
  secret: boolean;
  /**
   * Whether a notification cannot be created without it.
   * @example true
   */
  required: boolean;
  /**
   * A made-up value in the right form.
   * @example "https://mattermost.example.org/hooks/example0hook0of0mattermost"
   */
  example: string;
  /**
   * A regular expression that the value must match as a whole; `""` if there is none.
   * @example ".+/hooks/[A-Za-z0-9]+"
   */
  pattern: string;
  /**
   * The value if none is given; `""` if there is none.
   * @example ""
   */
  default: string;
}

/** A service that takes notifications. */
export interface PresetView {
  /**
   * What `preset` of a new notification names.
   * @example "mattermost"
   */
  name: string;
  /**
   * The name of the service for people.
   * @example "Mattermost"
   */
  title: string;
  /** The fields that a new notification has next to its own. */
  fields: PresetFieldView[];
  /**
   * The page of the service about the requests that it takes.
   * @example "https://developers.mattermost.com/integrate/webhooks/incoming/"
   */
  documentation: string;
}

/** All presets. */
export interface PresetsResponse {
  /** In the order of the table. */
  presets: PresetView[];
}

export function listPresets(): PresetsResponse {
  return { presets: PRESETS.map(toPresetView) };
}

function toPresetView({ name, title, fields, documentation }: Preset): PresetView {
  return { name, title, documentation, fields: fields.map(toFieldView) };
}

function toFieldView({ name, title, help, secret, required, example, ...rest }: Preset['fields'][number]) {
  return { name, title, help, secret, required, example, pattern: rest.pattern ?? '', default: rest.default ?? '' };
}
