export { buildArchives } from './build-archives';
export { deleteArchives } from './jobs/archive-rows';
