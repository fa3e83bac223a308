import 'reflect-metadata';
import { buildContainer, type Container } from '../src/container';
import { createLogger } from '../src/platform/logger';
import type { LoneEnd, LoneTask } from '../src/quarantine/work-kind';
import { checkStart } from '../src/startup-checks';

/** The lone process: does the tasks that its parent sends, one at a time, and may end for any of them. */
void run().catch((error: unknown) => {
  process.stderr.write(`the lone process cannot start: ${String(error)}\n`);
  process.exit(1);
});

async function run(): Promise<void> {
  // A signal to the group of processes is for the parent, which then closes the channel.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);
  const starting = start();
  let work: Promise<unknown> = starting;
  process.on('message', (task) => {
    work = work.then(async () => {
      const end = await answer(task as LoneTask, await starting); // `LoneProcess` sends nothing else
      process.send?.(end, () => undefined);
    });
  });
  process.once('disconnect', () => {
    void end(work, starting).finally(() => process.exit(0));
  });
  await starting;
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

async function answer(task: LoneTask, container: Container): Promise<LoneEnd> {
  try {
    await container.synchronize();
    return { end: 'done', hasMore: await work(task, container) };
  } catch (error) {
    return { end: 'failed', reason: String(error) };
  }
}

/** Does a task. Returns true if more of it waits. */
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
    case 'packing':
      await container.packing.packOne(task.id);
      return false;
  }
}
