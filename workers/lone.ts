import 'reflect-metadata';
import { buildContainer, type Container } from '../src/container';
import type { LoneMessage } from '../src/fairness/quarantine/lone-process';
import type { LoneEnd, LoneTask } from '../src/fairness/quarantine/work-kind';
import { checkStart } from '../src/operators/startup-checks';
import { createLogger } from '../src/platform/logger';

const ALIVE_EVERY_MS = 1_000;

/** Does its parent's tasks, one at a time, and may end for any of them. */
function run(): void {
  // A signal to the group of processes is for the parent, which then closes the channel.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);
  const starting = start();
  starting.catch(() => undefined); // the first task reports it
  let work: Promise<unknown> = Promise.resolve();
  setInterval(() => send('alive'), ALIVE_EVERY_MS).unref();
  process.on('message', (task) => {
    work = work.then(async () => send(await answer(task as LoneTask, starting))); // `LoneProcess` sends nothing else
  });
  process.once('disconnect', () => {
    void end(work, starting).finally(() => process.exit(0));
  });
}

async function start(): Promise<Container> {
  const { config } = await checkStart(process.env);
  return buildContainer(config, createLogger(config.logLevel, 'lone'), undefined, undefined, true);
}

async function end(work: Promise<unknown>, starting: Promise<Container>): Promise<void> {
  await work.catch(() => undefined);
  const container = await starting;
  await container.evaluationConsumer.close();
  await container.close();
}

function send(message: LoneMessage): void {
  process.send?.(message, () => undefined);
}

async function answer(task: LoneTask, starting: Promise<Container>): Promise<LoneEnd> {
  try {
    const container = await starting;
    await container.synchronize();
    await new Promise<void>((sent) => process.send?.('begun' satisfies LoneMessage, () => sent()));
    return { end: 'done', hasMore: await work(task, container) };
  } catch (error) {
    // Without its servers it cannot start: the next task gets another process.
    void starting.catch(() => setImmediate(() => process.disconnect()));
    return { end: 'failed', reason: String(error) };
  }
}

async function work(task: LoneTask, container: Container): Promise<boolean> {
  switch (task.kind) {
    case 'evaluation': {
      const { partition, ...scope } = task;
      return container.evaluationConsumer.runOne({ partitions: [partition], ...scope });
    }
    case 'delivery':
      await container.delivery.runner.attempt(task.id);
      return false;
    case 'event':
      await container.eventDispatcher.dispatchOne(task.id);
      return false;
    case 'training':
      return (await container.services.trainingJobs.step(task.id)) === 'read-on';
    case 'selector':
      await container.services.selectorFollower.followOne(task.id);
      return false;
    case 'source':
      await container.mqttSources.tryTogether(task.ids);
      return false;
    case 'packing':
      await container.packing.packOne(task.id);
      return false;
  }
}

run();
