import { messageOf } from '../../api';
import { Preview } from './preview';
import type { Reading } from './use-reading';

/** What is known of the file that was chosen: that it is read, what it holds, or why it cannot be stored. */
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
          Reading the file …
        </p>
      )}
      <Preview reading={reading} dataType={dataType} />
    </>
  );
}

/** Whether there is something to store, and nothing left to ask. */
export function isReady({ understanding, error, isBusy }: Reading): boolean {
  return understanding !== undefined && error === undefined && !isBusy && understanding.points > 0;
}

/** How much of the points is sent. */
export function Progress({ sent, points }: { sent: number; points: number }) {
  return <progress class="sending" value={sent} max={points} aria-label="Sent" />;
}
