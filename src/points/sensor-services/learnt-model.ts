import { LruCache, weightOfText } from '../../platform/lru-cache';
import type { Model } from './learning/classifier';

// A model has up to half a megabyte of text, and about as much when parsed. A busy service uses it many times a second.
const models = new LruCache<string, Model>(10_000_000, weightOfText);

export function writeModel(model: Model): string {
  return JSON.stringify(model);
}

/** Recent texts are cached, so a new model is always another text. */
export function readModel(text: string | null): Model | null {
  return text === null ? null : models.get(text, () => JSON.parse(text));
}
