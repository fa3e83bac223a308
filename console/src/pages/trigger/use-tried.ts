import { useEffect, useState } from 'preact/hooks';
import { type Mistake, mistakeOf } from './rule';

interface Tried<T> {
  result?: T;
  error?: unknown;
  /** How far the latest change is computed; undefined at the end. */
  progress?: number;
}

interface Trial<T> {
  /** Undefined while there is no whole rule. */
  run: ((signal: AbortSignal, report: (progress: number) => void) => Promise<T>) | undefined;
  settleMs: number;
  onMistake: (mistake: Mistake | undefined) => void;
}

/** Runs again when `key` changes, and keeps the result before until the next one is there. */
export function useTried<T>(key: string, { run, settleMs, onMistake }: Trial<T>): Tried<T> {
  const [state, setState] = useState<Tried<T>>({});
  useEffect(() => {
    if (!run) {
      setState({});
      onMistake(undefined);
      return;
    }
    const abort = new AbortController();
    const report = (progress: number) => setState((before) => ({ ...before, progress }));
    report(0);
    const timer = setTimeout(() => {
      run(abort.signal, report).then(
        (result) => {
          setState({ result });
          onMistake(undefined);
        },
        (error: unknown) => {
          if (abort.signal.aborted) return;
          const mistake = mistakeOf(error);
          onMistake(mistake);
          setState(mistake ? {} : { error });
        },
      );
    }, settleMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [key]);
  return state;
}
