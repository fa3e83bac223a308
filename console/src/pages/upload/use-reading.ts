import { useEffect, useRef, useState } from 'preact/hooks';
import { TableFile } from '../../csv/table-file';
import type { Choices, Understanding } from '../../csv/types';
import { TIME_ZONE } from '../../format';
import { kindOfSensor } from '../sensors/value-kinds';

/** A chosen file, and its reading. */
export interface Reading {
  file: TableFile | undefined;
  understanding: Understanding | undefined;
  error: unknown;
  isBusy: boolean;
  choices: Choices;
  take(file: File | undefined): Promise<Understanding | undefined>;
  choose(changes: Choices): void;
}

interface State {
  file?: TableFile;
  understanding?: Understanding;
  error?: unknown;
  isBusy: boolean;
  choices: Choices;
}

const NOTHING: State = { isBusy: false, choices: {} };

/**
 * Reads the chosen file, again after each choice. The shown reading always belongs to the latest choice. `dataType` is
 * the type of an existing sensor.
 */
export function useReading(dataType?: string): Reading {
  const [state, setState] = useState<State>(NOTHING);
  const latest = useRef(0);
  const open = useRef<TableFile | undefined>(undefined);
  useEffect(() => () => open.current?.close(), []);

  const read = async (file: TableFile, choices: Choices, mine: number): Promise<Understanding | undefined> => {
    try {
      const understanding = await file.understand(choices, {
        zone: TIME_ZONE,
        nowMs: Date.now(),
        kind: dataType === undefined ? undefined : kindOfSensor(dataType),
      });
      if (mine !== latest.current) return undefined;
      setState({ file, choices, understanding, isBusy: false });
      return understanding;
    } catch (error) {
      if (mine === latest.current) setState((before) => ({ ...before, choices, error, isBusy: false }));
      return undefined;
    }
  };
  const take = async (chosen: File | undefined) => {
    latest.current += 1;
    const mine = latest.current;
    open.current?.close();
    setState({ ...NOTHING, isBusy: chosen !== undefined });
    if (!chosen) return undefined;
    try {
      const file = await TableFile.open(chosen);
      if (mine !== latest.current) {
        file.close();
        return undefined;
      }
      open.current = file;
      return await read(file, {}, mine);
    } catch (error) {
      if (mine === latest.current) setState({ ...NOTHING, error });
      return undefined;
    }
  };
  const choose = (changes: Choices) => {
    const { file } = state;
    if (!file) return;
    latest.current += 1;
    const choices = { ...state.choices, ...changes };
    setState({ ...state, choices, error: undefined, isBusy: true });
    void read(file, choices, latest.current);
  };
  const { file, understanding, error, isBusy, choices } = state;
  return { file, understanding, error, isBusy, choices, take, choose };
}
