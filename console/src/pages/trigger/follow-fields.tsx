import type { Records } from '../../api';
import { t } from '../../language';
import { Select } from '../../ui/form';
import { Conditions } from '../forms';
import { MatchedSensors, RemovedSelector, StoredSelector } from './followed-sensors';
import { EMPTY_CONDITION, FOLLOWED, type Follows } from './selector';

type Edited = Follows<Records['SensorProperty']>;

interface FollowProps {
  follows: Edited;
  onFollows: (follows: Edited) => void;
  /** The trigger, if its stored record has a selector. */
  stored: string | undefined;
}

/** The sensors that a trigger follows by their metatags, now and later. */
export function FollowFields({ follows, onFollows, stored }: FollowProps) {
  const choose = (kind: Edited['kind']) => {
    const isFirst = kind === 'conditions' && follows.conditions.length === 0;
    onFollows({ ...follows, kind, ...(isFirst && { conditions: [EMPTY_CONDITION] }) });
  };
  return (
    <div class="stack follows">
      <Select
        label={t('Also follows')}
        hint={follows.kind === 'none' ? undefined : t('Includes sensors that you add later.')}
        value={follows.kind}
        onValue={(kind) => choose(kind as Edited['kind'])} // one of the options
        options={FOLLOWED}
      />
      {follows.kind === 'conditions' && <Conditions follows={follows} onFollows={onFollows} />}
      {follows.kind !== 'none' && <MatchedSensors follows={follows} />}
      {stored !== undefined &&
        (follows.kind === 'none' ? <RemovedSelector trigger={stored} /> : <StoredSelector trigger={stored} />)}
    </div>
  );
}
