import type { ControllerFactory } from '../edge/controller-factory';
import type { buildArchives } from './build-archives';
import { ExportFilesController } from './exports/export-files.controller';
import { ExportsController } from './exports/exports.controller';
import { ImportsController } from './imports/imports.controller';

type Services = ReturnType<typeof buildArchives>['services'];

export function archivesControllers(services: Services): ControllerFactory[] {
  return [
    [ExportsController, () => new ExportsController(services.exports)],
    [ExportFilesController, () => new ExportFilesController(services.exports)],
    [ImportsController, () => new ImportsController(services.imports)],
  ];
}
