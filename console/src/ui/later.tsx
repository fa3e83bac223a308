import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Loading, Problem } from './page';

/** A component that is loaded when it is shown for the first time. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let known: ComponentType<P> | undefined;
  return function Later(props: P) {
    const [state, setState] = useState<{ Shown?: ComponentType<P> | undefined; error?: unknown }>({ Shown: known });
    const [tries, setTries] = useState(0);
    useEffect(() => {
      if (known) return;
      load().then(
        (Shown) => {
          known = Shown;
          setState({ Shown });
        },
        (error: unknown) => setState({ error }),
      );
    }, [tries]);
    const { Shown, error } = state;
    if (Shown) return <Shown {...props} />;
    if (error !== undefined) return <Problem error={error} retry={() => setTries(tries + 1)} />;
    return <Loading />;
  };
}
