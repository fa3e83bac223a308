import { CHANNELS, type ChannelType } from '../../src/notifications/delivery/channels';
import { RIGS } from '../support/channel-rigs';
import { testChannel } from '../support/channel-suite';

for (const [type, descriptor] of Object.entries(CHANNELS)) {
  testChannel(type, descriptor, RIGS[type as ChannelType]); // the keys of the table
}
