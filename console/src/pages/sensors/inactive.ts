import { useResource } from '../../use-resource';
import { findIds } from './load';

const NONE: ReadonlySet<string> = new Set();

/** The ids of the sensors in the state `silent`: without data for longer than expected, and without an alert. */
export function useInactive(): ReadonlySet<string> {
  return (
    useResource('inactive sensors', () => findIds({ filter: {}, state: 'silent' }), { everyMs: 15_000 }).data ?? NONE
  );
}
