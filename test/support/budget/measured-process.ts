import 'reflect-metadata';
import { startPlatform } from '../platform';
import { Counter } from './counter';
import { plantedLosses } from './planted-losses';

const CLOSED_WITHIN_MS = 5_000;

/** The platform in a process of its own. The parent asks by a word, and gets one answer to each. */
async function main(): Promise<void> {
  const platform = await startPlatform({ config: { CHECK_MEMORY: 'off' } });
  const counter = new Counter(platform.container.database.pool);
  const answers: Readonly<Record<string, () => Promise<unknown>>> = {
    user: async () => {
      const { session } = await platform.user();
      return { url: platform.url, session };
    },
    ...plantedLosses(platform),
    settle: () => platform.settle(),
    collect: async () => counter.collect(),
    begin: () => counter.begin(),
    end: () => counter.end(),
  };
  process.on('message', async (word: string) => {
    process.send?.({ answer: await answers[word]?.() });
  });
  process.on('disconnect', async () => {
    // The servers may have ended with the parent.
    setTimeout(() => process.exit(), CLOSED_WITHIN_MS);
    await platform.close();
    process.exit();
  });
  process.send?.({ answer: 'ready' });
}

void main();
