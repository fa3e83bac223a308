import type { Model } from '../rules/learning/classifier';
import { LruCache, weightOfText } from '../rules/lru-cache';

// A model is up to half a megabyte of text, and a busy service is read many times a second. Read, it takes about as much again.
const models = new LruCache<string, Model>(10_000_000, weightOfText);

/** A model as it is stored. */
export function writeModel(model: Model): string {
  return JSON.stringify(model);
}

/** The model of a stored text; texts that were read lately are not read again, so a new model is another text. */
export function readModel(text: string | null): Model | null {
  return text === null ? null : models.get(text, () => JSON.parse(text));
}
