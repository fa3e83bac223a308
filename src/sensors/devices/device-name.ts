/** Names a device: by its id, or by the type and uuid that its owner gave it. */
export type DeviceName = { id: number } | { type: string; uuid: string };
