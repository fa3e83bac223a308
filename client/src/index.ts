export type { CallInit, Client, ClientOptions } from './client';
export { createClient } from './client';
export { ApiError, StreamEnded } from './errors';
export type { components, operations, paths } from './generated/api';
export type { PointRange } from './paging';
export { passwordDigest } from './password';
export type { LiveFiring, LiveMessage, LivePoint, StreamOptions } from './streams';
export type { BatchOptions, PointUpload } from './uploads';
