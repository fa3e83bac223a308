import type { Subject, UserControl } from '../../operators/user-control';
import type { PlainText, Text } from '../../platform/words/words';

/** A text about a user. */
type AboutUser = Extract<Text, `${string}{username}${string}`>;

export interface UserAct {
  label: PlainText;
  title: AboutUser;
  /** What happens, and what does not. */
  effect: PlainText;
  /** A checkbox, if there is a choice. */
  option?: PlainText;
  isHarsh: boolean;
  run(control: UserControl, subject: Subject, isOptionChosen: boolean): Promise<unknown>;
  /** Shown afterwards. */
  done: PlainText;
}

/** Actions by the ends of their paths. */
export const USER_ACTS = {
  disable: {
    label: 'Disable the account',
    title: 'Disable the account {username}',
    effect:
      'From now on, the account cannot sign in. Its sessions, keys and applications are refused, and so is what its devices send: devices that do not store it lose it. Its triggers and services do nothing, and deliveries that wait fail. All data stays, and users keep seeing what was shared with them; public dashboards are hidden. You can enable the account again.',
    isHarsh: true,
    run: (control, subject) => control.disable(subject),
    done: 'The account is disabled.',
  },
  enable: {
    label: 'Enable the account',
    title: 'Enable the account {username}',
    effect:
      'Its password, sessions, keys and applications work again, and its triggers fire again. The inactivity of its sensors counts from now.',
    isHarsh: false,
    run: (control, subject) => control.enable(subject),
    done: 'The account is enabled.',
  },
  'end-sessions': {
    label: 'End all sessions',
    title: 'End all sessions of {username}',
    effect: 'Every browser and program that is signed in must sign in again. The password stays.',
    option: 'End keys and the permissions of applications as well: devices with these keys can no longer send data',
    isHarsh: true,
    run: async (control, subject, isOptionChosen) => {
      await control.end('session', subject);
      if (!isOptionChosen) return;
      await control.end('key', subject);
      await control.end('authorization', subject);
    },
    done: 'All sessions have ended.',
  },
  'remove-second-factors': {
    label: 'Remove the second factors',
    title: 'Remove the second factors of {username}',
    effect:
      'The password alone signs in again, and the recovery codes end. Do this only if you know that the owner asks for it: the account gets a mail. Sessions stay.',
    isHarsh: true,
    run: (control, subject) => control.removeSecondFactors(subject),
    done: 'The second factors are removed.',
  },
} as const satisfies Record<string, UserAct>;

export type UserActName = keyof typeof USER_ACTS;

export function userActNamed(name: string): UserActName | undefined {
  return Object.hasOwn(USER_ACTS, name) ? (name as UserActName) : undefined; // it is a key of the object
}
