import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics of one process. */
export class Metrics {
  readonly registry = new Registry();

  readonly pointsAccepted = new Counter({
    name: 'sensor_data_points_accepted_total',
    help: 'Data points stored by uploads',
    registers: [this.registry],
  });

  readonly plainUploads = new Counter({
    name: 'plain_uploads_total',
    help: 'Uploads that were answered without express, whatever the status',
    registers: [this.registry],
  });

  readonly clockSkew = new Gauge({
    name: 'clock_ahead_seconds',
    help: 'How far the clock of this machine is ahead of that of MySQL, which is used',
    registers: [this.registry],
  });

  readonly turns = new Counter({
    name: 'sensor_turns_total',
    help: 'Turns of partitions, by outcome',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });

  readonly firings = new Counter({
    name: 'trigger_firings_total',
    help: 'Firings of triggers, by reason',
    labelNames: ['reason'] as const,
    registers: [this.registry],
  });

  readonly events = new Counter({
    name: 'events_dispatched_total',
    help: 'Events dispatched to the matching event notifications, by outcome',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });

  readonly attempts = new Counter({
    name: 'delivery_attempts_total',
    help: 'Attempts to deliver, by channel and outcome',
    labelNames: ['type', 'outcome'] as const,
    registers: [this.registry],
  });

  readonly pointToDelivery = new Histogram({
    name: 'point_to_delivery_seconds',
    help: 'Seconds from the arrival of a data point to the delivery of the notification about its firing',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600],
    registers: [this.registry],
  });

  readonly deliveryStages = new Histogram({
    name: 'delivery_stage_seconds',
    help: 'Seconds that a delivery spent in each stage: store, evaluate, queue, send (until the first attempt), answer',
    labelNames: ['stage'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }
}
