import { later } from '../ui/later';

/** Large forms, which are loaded when one of them opens. */
export const Upload = later(() => import('./upload/upload').then((loaded) => loaded.Upload));
export const NewSensor = later(() => import('./sensors/new-sensor').then((loaded) => loaded.NewSensor));
export const RangeForm = later(() => import('./sensor-data/range-form').then((loaded) => loaded.RangeForm));
export const AddStep = later(() => import('./trigger/step-dialogs').then((loaded) => loaded.AddStep));
export const ChangeDelay = later(() => import('./trigger/step-dialogs').then((loaded) => loaded.ChangeDelay));
export const LabelFields = later(() => import('./trigger/label-fields').then((loaded) => loaded.LabelFields));
export const ZoneField = later(() => import('./trigger/zone-field').then((loaded) => loaded.ZoneField));
export const Conditions = later(() => import('./trigger/conditions').then((loaded) => loaded.Conditions));
export const DependsOn = later(() => import('./trigger/depends-on').then((loaded) => loaded.DependsOn));
export const ShownTo = later(() => import('./trigger/shown-to').then((loaded) => loaded.ShownTo));
export const EarlierVersions = later(() => import('./trigger/versions').then((loaded) => loaded.EarlierVersions));
export const TagForm = later(() => import('./sensors/tag-form').then((loaded) => loaded.TagForm));
export const LabelFiles = later(() => import('./sensors/label-file').then((loaded) => loaded.LabelFiles));
export const ViewFields = later(() => import('./sensors/view-fields').then((loaded) => loaded.ViewFields));
export const Download = later(() => import('./sensors/download').then((loaded) => loaded.Download));
export const ChangeSensors = later(() => import('./sensors/change-sensors').then((loaded) => loaded.ChangeSensors));
export const Outline = later(() => import('./environment/outline').then((loaded) => loaded.Outline));
export const DashboardEditor = later(() => import('./dashboards/editor').then((loaded) => loaded.DashboardEditor));

export const SecondStep = later(() => import('./account/factors/second-step').then((loaded) => loaded.SecondStep));
export const PasskeySignIn = later(() =>
  import('./account/factors/second-step').then((loaded) => loaded.PasskeySignIn),
);

/** What is about alerts in groups, which is loaded with the first of them. */
export const Assign = later(() => import('./team/assign').then((loaded) => loaded.Assign));
export const TeamOf = later(() => import('./team/team-of').then((loaded) => loaded.TeamOf));

/** What helps to change a rule, which is loaded with the first change. */
export const Effect = later(() => import('./changes/effect').then((loaded) => loaded.Effect));
export const TrialOfAll = later(() => import('./changes/trial-of-all').then((loaded) => loaded.TrialOfAll));
