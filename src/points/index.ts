export { Heartbeat, OUTAGE_THRESHOLD_MS, removeOutages } from './availability/heartbeat';
export { ServerTime } from './availability/server-time';
export { buildPoints } from './build-points';
export { CsvFormat } from './data-points/csv-format';
export { type ExportReader, rechecked } from './data-points/data-export';
export type { ExportedLines, ExportFormat } from './data-points/data-export.view';
export {
  type DataPoint,
  inOrderOfDates,
  instantsOf,
  isDateName,
  laterBy,
  type ReceivedDataPoint,
  type SensorDataPoint,
  type StoredDataPoint,
  type UploadedPoint,
} from './data-points/data-point';
export { readPoint } from './data-points/data-points.request';
export type { DataPointsService } from './data-points/data-points.service';
export {
  type DataPointsQuery,
  readDataQuery,
  readSensorIds,
  requireNoValue,
  type SensorsDataQuery,
} from './data-points/data-reads.request';
export { type ArrivedPoint, isLate, isTooFarAhead, PRESENT_MS } from './data-points/evaluated-points';
export { readJsonLines } from './data-points/json-lines';
export { type Period, type PeriodLength, readPeriods } from './data-points/report-periods';
export { FieldsTooLarge, UnitedFields } from './data-points/united-fields';
export { LINES, readCsvLines, type UploadedLine, WrongLine } from './data-points/uploaded-lines';
export {
  BatchBuilder,
  groupBySensor,
  type InboxBatch,
  type PassScope,
  pointKey,
  type WaitingPoint,
} from './inbox/inbox-batch';
export {
  insertBatches,
  MisplacedBatches,
  readBatches,
  removeHandled,
  repartitionInbox,
  requirePlaced,
  StalePass,
} from './inbox/inbox-rows';
export { LayoutChanged, lockPartitions, PartitionLayout, type PassEpochs } from './inbox/partition-layout';
export { addRows } from './intake/data-point-rows';
export type { DataPointWriter } from './intake/data-point-writer';
export { readTargets } from './intake/upload-targets';
export type { PointBatch } from './intake/waiting-requests';
export { invariants } from './invariants';
export { findDamagedChunks } from './point-store/chunk-check';
export { DamagedChunk } from './point-store/chunk-rows';
export { readExpectedIntervals } from './point-store/expected-intervals';
export { inactiveSql } from './point-store/inactive-sensors';
export { type PointReads, readRange } from './point-store/merged-points';
export { latestArrivals, newestDateSql, newestPoint, newestValueSql, newestValues } from './point-store/newest-rows';
export { findSensorsToPack, packSensor } from './point-store/packer';
export { countStored, countStoredOf, type StoredData } from './point-store/point-count';
export { readPointParts } from './point-store/point-pages';
export { type RemovedPoints, removeAllPoints, removeOldPoints } from './point-store/point-removal';
export { insertPoints, type PointRows } from './point-store/point-rows';
export type { PointQuery } from './point-store/point-statements';
export { nameOf, readValues } from './point-store/point-values';
export { readFirstKeys, readFirstOfEach } from './point-store/points-in-order';
export { deleteCopiedChunks, findSensorsWithChunks, writeChunksAsRows } from './point-store/unpacking';
export {
  type PointRange,
  RANGES_PER_READ,
  readStoredPoints,
  readStoredRange,
  type StoredPoints,
} from './point-store/window-points';
export { CATALOGUE, serviceNamed } from './sensor-services';
export { FLEET_DEFAULTS, FLEET_SERVICE, type FleetSettings } from './sensor-services/fleet';
export { firstNumber, type ReadInput, readFieldTypes } from './sensor-services/input-values';
export { type Example, learning, usedExamples } from './sensor-services/learning/classifier';
export {
  type LearnerState,
  type LearntWindow,
  RangeLearner,
  type TrainingRange,
} from './sensor-services/learning/range-learner';
export type { Reading } from './sensor-services/learning/windows';
export { writeModel } from './sensor-services/learnt-model';
export { readingOf, windowMsOf } from './sensor-services/recognition';
export { recognitionKindNamed } from './sensor-services/recognition-kinds';
export {
  type Computed,
  isGetMethod,
  type Json,
  type LearningProgress,
  type SensorService,
  type ServiceInput,
  type ServiceState,
} from './sensor-services/sensor-service';
export { appendChanges, type Change } from './streams/change-log';
export { OldChanges } from './streams/old-changes';
export type { StreamSignal } from './streams/stream-signal';
export { findTopics } from './streams/topics';
