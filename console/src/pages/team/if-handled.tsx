import type { ComponentChildren } from 'preact';
import { useMembership } from './rights';

/** Its content, if the user may handle alerts in the group. */
export function IfHandled({ group, children }: { group: string; children: ComponentChildren }) {
  return <>{useMembership(group)?.group_permissions?.handle_alerts && children}</>;
}
