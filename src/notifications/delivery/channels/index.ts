import type { Channel, ChannelContext, ChannelDescriptor } from './channel';
import { emailChannel } from './email.channel';
import { pushChannel } from './push.channel';
import { urlChannel } from './url.channel';

/** The columns have this length. */
const MAX_RECEIVER_LENGTH = 255;

/** To add a channel, write its file and its line here. Requests, the API document and types follow from this table. */
export const CHANNELS = {
  email: emailChannel,
  url: urlChannel,
  push: pushChannel,
} as const satisfies Record<string, ChannelDescriptor>;

/**
 * A channel: `email` sends to one email address, `url` posts to an http or https URL, `push` shows a message in a browser
 * that has subscribed.
 */
export type ChannelType = keyof typeof CHANNELS;

export type OpenChannels = Readonly<Record<ChannelType, Channel>>;

/** Makes connections when first needed. */
export function openChannels(context: ChannelContext): OpenChannels {
  const opened = Object.entries(CHANNELS).map(([type, { open }]) => [type, open(context)]);
  return Object.fromEntries(opened) as OpenChannels; // fromEntries loses the names of the keys
}

export async function closeChannels(channels: OpenChannels): Promise<void> {
  for (const channel of Object.values(channels)) await channel.close();
}

/** Throws for a channel that this release does not have. */
export function channelOf(type: string): ChannelDescriptor {
  return entryOf(CHANNELS, type);
}

/** Throws for a channel that this release does not have. */
export function entryOf<T>(table: Readonly<Record<ChannelType, T>>, type: string): T {
  if (!Object.hasOwn(table, type)) throw new Error(`this release has no channel ${type}`);
  return table[type as ChannelType]; // a key of the table
}

/** Attempts to one receiver share its permits. */
export function receiverOf(type: string, destination: string): string {
  return channelOf(type).receiverOf(destination).slice(0, MAX_RECEIVER_LENGTH);
}
