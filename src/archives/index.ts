export { buildArchives } from './build-archives';
export { deleteArchives } from './jobs/archive-rows';
export { findForgottenArchive, forgetArchive } from './jobs/forgotten-archives';
