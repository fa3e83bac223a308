import { type PlainText, t } from '../../language';
/** The title and description of each kind of service. */
export const KINDS: Readonly<Record<string, { title: PlainText; does: PlainText }>> = {
  math_service: { title: 'Formula', does: 'computes a number from several sensors' },
  statistics_service: { title: 'Statistics', does: 'mean, minimum, maximum and deviation over a rolling window' },
  state_recognition_service: { title: 'State recognition', does: 'learns states from examples and recognises them' },
  pose_prediction_service: { title: 'Pose recognition', does: 'learns poses from three axes and recognises them' },
  fleet_service: { title: 'Fleet', does: 'summarises many sensors that a filter selects' },
  foreground_app_filter: { title: 'Filter', does: 'passes on only the texts of a list' },
};

/** The title of a kind of service; the name of an unknown one. */
export function titleOf(name: string): string {
  const kind = KINDS[name];
  return kind ? t(kind.title) : name;
}

/** True if it learns from examples. */
export function learns(name: string): boolean {
  return name === 'state_recognition_service' || name === 'pose_prediction_service';
}
