/** Type and uuid are given by the owner. */
export type DeviceName = { id: number } | { type: string; uuid: string };
