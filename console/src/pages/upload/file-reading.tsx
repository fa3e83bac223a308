import { messageOf } from '../../api';
import { t } from '../../language';
import { Preview } from './preview';
import type { Reading } from './use-reading';

/** The state of the chosen file: in progress, its content, or the error. */
export function FileReading({ reading, dataType }: { reading: Reading; dataType?: string }) {
  const { error, isBusy, understanding } = reading;
  return (
    <>
      {error !== undefined && (
        <p class="problem" role="alert">
          {messageOf(error)}
        </p>
      )}
      {isBusy && !understanding && (
        <p class="quiet" role="status">
          {t('Reading the file …')}
        </p>
      )}
      <Preview reading={reading} dataType={dataType} />
    </>
  );
}

/** True if there is something to store, and no open question. */
export function isReady({ understanding, error, isBusy }: Reading): boolean {
  return understanding !== undefined && error === undefined && !isBusy && understanding.points > 0;
}

/** Progress of the upload. */
export function Progress({ sent, points }: { sent: number; points: number }) {
  return <progress class="sending" value={sent} max={points} aria-label={t('Sent')} />;
}
