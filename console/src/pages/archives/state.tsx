import { type Records, sentence } from '../../api';
import { type PlainText, t } from '../../language';
import { Status } from '../../ui/page';

type Archive = Pick<Records['ExportView'], 'state' | 'error' | 'entry'>;

const WORDS: Readonly<Record<Archive['state'], PlainText>> = {
  waiting: 'waiting',
  running: 'in progress',
  done: 'finished',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** How often the progress is asked for. */
export const PROGRESS = { everyMs: 2_000 };

export function isOver({ state }: Archive): boolean {
  return state !== 'waiting' && state !== 'running';
}

/** The state in a word, and why it failed. */
export function StateOf({ archive: { state, error, entry } }: { archive: Archive }) {
  return (
    <>
      <Status {...(state === 'done' && { kind: 'good' })} {...(state === 'failed' && { kind: 'bad' })}>
        {t(WORDS[state])}
      </Status>
      {error !== '' && (
        <div class="small breakable">
          {entry ? (
            <>
              <code>{entry}</code>: {error}
            </>
          ) : (
            sentence(error)
          )}
        </div>
      )}
    </>
  );
}
