import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { RecentCounts } from './recent-counts';

/** Samples cost an idle process some time. */
const EVENT_LOOP_MS = 250;

export class Metrics {
  readonly registry = new Registry();

  readonly recent = new RecentCounts();

  readonly pointsAccepted = new Counter({
    name: 'sensor_data_points_accepted_total',
    help: 'Data points stored by uploads',
    registers: [this.registry],
  });

  readonly uploads = new Counter({
    name: 'uploads_total',
    help: 'Requests that bring data points, by outcome: stored, refused, or failed',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });

  readonly mqttMessages = new Counter({
    name: 'mqtt_messages_total',
    help: 'Messages of MQTT sources, by outcome: stored, described, ignored, repeated, unreadable, refused, waiting, unchanged, or incomplete',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });

  readonly requests = new Histogram({
    name: 'http_request_seconds',
    help: 'Seconds from the head of a request to the end of its response, by route and status; 499 where the client left first',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registers: [this.registry],
  });

  readonly clockSkew = new Gauge({
    name: 'clock_ahead_seconds',
    help: 'How far the clock of this machine is ahead of that of MySQL, which is used',
    registers: [this.registry],
  });

  readonly passes = new Counter({
    name: 'evaluation_passes_total',
    help: 'Evaluation passes, by outcome',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });

  readonly setAside = new Counter({
    name: 'work_set_aside_total',
    help: 'Work that was set aside because it ended each process that did it, by kind',
    labelNames: ['kind'] as const,
    registers: [this.registry],
  });

  readonly passSeconds = new Histogram({
    name: 'evaluation_pass_seconds',
    help: 'Seconds that an evaluation pass took, from its first statement to its commit',
    buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [this.registry],
  });

  readonly passPoints = new Histogram({
    name: 'evaluation_pass_points',
    help: 'Data points that an evaluation pass evaluated',
    buckets: [0, 1, 10, 100, 1_000, 10_000],
    registers: [this.registry],
  });

  readonly decisions = new Counter({
    name: 'trigger_decisions_total',
    help: 'Evaluations of sensor triggers, by the reason why each fired or did not',
    labelNames: ['reason'] as const,
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

  readonly endedDeliveries = new Counter({
    name: 'deliveries_ended_total',
    help: 'Deliveries that have ended, by channel and status: delivered or failed',
    labelNames: ['type', 'status'] as const,
    registers: [this.registry],
  });

  readonly jobs = new Histogram({
    name: 'job_seconds',
    help: 'Seconds that workers took for jobs, by queue and outcome: done, failed-for-good, or failed',
    labelNames: ['queue', 'outcome'] as const,
    buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registers: [this.registry],
  });

  readonly scheduled = new Histogram({
    name: 'scheduled_work_seconds',
    help: 'Seconds that workers took for scheduled work, the reconcilers and the purge, by outcome: done, or failed',
    labelNames: ['work', 'outcome'] as const,
    buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 10],
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
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: EVENT_LOOP_MS });
  }
}
