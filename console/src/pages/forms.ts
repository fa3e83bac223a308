import { later } from '../ui/later';

/** Large forms, which are loaded when one of them opens. */
export const Upload = later(() => import('./upload/upload').then((loaded) => loaded.Upload));
export const NewSensor = later(() => import('./sensors/new-sensor').then((loaded) => loaded.NewSensor));
export const ChangeSensors = later(() => import('./sensors/change-sensors').then((loaded) => loaded.ChangeSensors));
