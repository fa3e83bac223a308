/** The title and description of each kind of service. */
export const KINDS: Record<string, { title: string; does: string }> = {
  math_service: { title: 'Formula', does: 'computes a number from several sensors' },
  statistics_service: { title: 'Statistics', does: 'mean, min, max and deviation over a rolling window' },
  state_recognition_service: { title: 'State recognition', does: 'learns states from examples, then names them' },
  pose_prediction_service: { title: 'Pose recognition', does: 'learns poses from three axes, then names them' },
  foreground_app_filter: { title: 'Filter', does: 'passes on the texts of a list' },
};

export function kindOf(name: string): { title: string; does: string } {
  return KINDS[name] ?? { title: name, does: '' };
}

/** True if it learns from examples. */
export function learns(name: string): boolean {
  return name === 'state_recognition_service' || name === 'pose_prediction_service';
}
