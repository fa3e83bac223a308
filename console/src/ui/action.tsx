import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { messageOf } from '../api';
import { say } from './toast';

/** Runs one action at a time, and keeps its error. */
export function useAction(): {
  busy: boolean;
  error: unknown;
  run(work: () => Promise<void>): Promise<boolean>;
  forget(): void;
} {
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false });
  const run = async (work: () => Promise<void>) => {
    setState({ busy: true });
    try {
      await work();
      setState({ busy: false });
      return true;
    } catch (error) {
      setState({ busy: false, error });
      return false;
    }
  };
  return { ...state, error: state.error, run, forget: () => setState({ busy: false }) };
}

/** A button that acts at once, and shows errors. */
export function Action({
  children,
  act,
  done,
  kind = '',
  label,
}: {
  children: ComponentChildren;
  act: () => Promise<void>;
  /** The message after success. */
  done?: string;
  kind?: string;
  /** For screen readers, if the text alone is ambiguous. */
  label?: string;
}) {
  const [busy, setBusy] = useState(false);
  const onClick = async () => {
    setBusy(true);
    try {
      await act();
      if (done) say(done);
    } catch (error) {
      say(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <button type="button" class={`button ${kind}`} disabled={busy} onClick={onClick} aria-label={label}>
      {children}
    </button>
  );
}
