import { useEffect, useState } from 'preact/hooks';
import type { Records } from '../../api';
import { type PlainText, t } from '../../language';
import { findSubscription, isFor, type PushProblem, pushProblem, subscribe } from '../../push';
import { Action } from '../../ui/action';
import { Section, Status } from '../../ui/page';

type Notification = Records['NotificationView'];

const PROBLEMS: Record<Exclude<PushProblem, 'none'>, PlainText> = {
  unsupported:
    'This browser cannot show alerts: it does not support push, or the address of the platform does not begin with https.',
  install:
    'On an iPhone or iPad, alerts need the app on the home screen: choose “Share”, then “Add to Home Screen”, and open this page there.',
  denied: 'Notifications are blocked for this site. Allow them in the settings of the browser, then reload this page.',
};

/** Whether this browser shows alerts, and the button that makes it do so. */
export function ThisBrowser({ list, reload }: { list: readonly Notification[]; reload: () => void }) {
  const [problem, setProblem] = useState(pushProblem());
  const [subscription, setSubscription] = useState<PushSubscription | undefined>();
  const [isKnown, setKnown] = useState(false);
  useEffect(() => {
    let wanted = true;
    const show = (found: PushSubscription | undefined) => {
      if (!wanted) return;
      setSubscription(found);
      setKnown(true);
    };
    findSubscription().then(show, () => show(undefined));
    return () => {
      wanted = false;
    };
  }, [list]);
  const own = list.find((notification) => isFor(notification, subscription));
  const begin = async () => {
    try {
      await subscribe();
    } finally {
      setProblem(pushProblem());
    }
    setSubscription(await findSubscription());
    reload();
  };
  if (!isKnown) return null;
  return (
    <Section title={t('This browser')}>
      {own ? (
        <Subscribed notification={own} />
      ) : problem !== 'none' ? (
        <p class="quiet">{t(PROBLEMS[problem])}</p>
      ) : (
        <div class="line">
          <Action
            kind="button"
            done={t('This browser shows alerts from now on. Choose it in a trigger, under “Reports to”.')}
            act={begin}
          >
            {t('Show alerts in this browser')}
          </Action>
          <span class="quiet">{t('Even while the console is closed. The browser asks for your permission.')}</span>
        </div>
      )}
    </Section>
  );
}

function Subscribed({ notification: { enabled } }: { notification: Notification }) {
  return enabled ? (
    <p>
      <Status kind="good">{t('This browser shows alerts')}</Status>{' '}
      <span class="quiet">{t('of the triggers that report to it. To stop this, delete its notification.')}</span>
    </p>
  ) : (
    <p>
      <Status kind="warn">{t('This browser is switched off')}</Status>{' '}
      <span class="quiet">{t('Switch its notification on, or delete it and subscribe again.')}</span>
    </p>
  );
}
