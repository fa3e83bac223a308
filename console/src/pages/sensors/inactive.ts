import { useResource } from '../../use-resource';
import { findIds } from './load';

/**
 * The ids of the sensors in the state `silent`: without data for longer than expected, and without an alert. Undefined
 * until they are known.
 */
export function useInactive(): ReadonlySet<string> | undefined {
  return useResource('inactive sensors', () => findIds({ filter: {}, state: 'silent' }), { everyMs: 15_000 }).data;
}
