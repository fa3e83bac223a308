import { InvalidInput } from '../../platform/errors';
import type { SecretBox } from '../../platform/secret-box';
import type { Notification } from '../../storage/models/notification.model';
import { type ChannelType, channelOf } from '../delivery/channels';
import { authProblem, type PushKeys, p256dhProblem, sealPushKeys } from './push-subscription';

interface Subscription {
  endpoint: string;
  keys: PushKeys;
}

/** Undefined means not given. */
export interface TargetInput {
  type?: ChannelType;
  destination?: string;
  subscription?: Subscription;
  name?: string | null;
}

type Target = Pick<Notification, 'type' | 'destination' | 'pushKeys' | 'name'>;

/** InvalidInput if the channel cannot send there, or the target does not fit the type. */
export function newTarget(input: TargetInput & { type: ChannelType }, ownerId: number, secretBox: SecretBox): Target {
  const before = { type: input.type, destination: undefined, pushKeys: null, name: null };
  return targetOf({ ...before, ownerId }, input, secretBox);
}

/** InvalidInput as for a new target. */
export function changedTarget(before: Notification, input: TargetInput, secretBox: SecretBox): Target {
  const { ownerId, type, destination, pushKeys, name } = before;
  return targetOf({ ownerId, type, destination, pushKeys, name }, input, secretBox);
}

type Before = Omit<Target, 'destination'> & { ownerId: number; destination: string | undefined };

function targetOf(before: Before, input: TargetInput, secretBox: SecretBox): Target {
  const type = input.type ?? before.type;
  const target = type === 'push' ? pushTarget(before, input, secretBox) : otherTarget(before, input, type);
  const field = type === 'push' ? 'notification.subscription.endpoint' : 'notification.destination';
  const problem = channelOf(type).checkDestination(target.destination);
  if (problem) throw InvalidInput.field(field, problem);
  return target;
}

function pushTarget(before: Before, { destination, subscription, name }: TargetInput, secretBox: SecretBox): Target {
  const wasPush = before.type === 'push';
  if (destination !== undefined && !(wasPush && destination === before.destination)) {
    throw InvalidInput.field('notification.destination', 'a notification of type push has a subscription instead');
  }
  const kept = { type: 'push', name: nameAfter(wasPush ? before.name : null, name) };
  if (subscription) {
    const { endpoint, keys } = subscription;
    requireKeys(keys);
    return { ...kept, destination: endpoint, pushKeys: sealPushKeys(secretBox, keys, { ...before, endpoint }) };
  }
  if (before.destination === undefined || before.pushKeys === null) {
    throw InvalidInput.field('notification.subscription', 'is required for type push');
  }
  return { ...kept, destination: before.destination, pushKeys: before.pushKeys };
}

function otherTarget(before: Before, { destination, subscription, name }: TargetInput, type: string): Target {
  if (subscription) throw InvalidInput.field('notification.subscription', 'only a notification of type push has one');
  // The endpoint of a browser is no address for webhooks, and its name is of the browser.
  const kept = before.type === 'push' ? { destination: undefined, name: null } : before;
  const found = destination ?? kept.destination;
  if (found === undefined) throw InvalidInput.field('notification.destination', 'is required');
  return { type, destination: found, pushKeys: null, name: nameAfter(kept.name, name) };
}

/** Undefined keeps the name, null removes it. */
function nameAfter(before: string | null, given: string | null | undefined): string | null {
  return given === undefined ? before : given;
}

function requireKeys({ p256dh, auth }: PushKeys): void {
  const [wrongKey, wrongAuth] = [p256dhProblem(p256dh), authProblem(auth)];
  if (wrongKey) throw InvalidInput.field('notification.subscription.keys.p256dh', wrongKey);
  if (wrongAuth) throw InvalidInput.field('notification.subscription.keys.auth', wrongAuth);
}
