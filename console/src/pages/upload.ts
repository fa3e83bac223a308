import { later } from '../ui/later';

/** The forms that read files: what they need is loaded when one of them opens. */
export const Upload = later(() => import('./upload/upload').then((loaded) => loaded.Upload));
export const NewSensor = later(() => import('./sensors/new-sensor').then((loaded) => loaded.NewSensor));
