import type { Model } from '../domain/learning/classifier';

// A model is up to half a megabyte of text, and a busy service is read many times a second.
const REMEMBERED = 20;
const models = new Map<string, Model>();

/** A model as it is stored. */
export function writeModel(model: Model): string {
  return JSON.stringify(model);
}

/** The model of a stored text; texts that were read lately are not read again, so a new model is another text. */
export function readModel(text: string | null): Model | null {
  if (text === null) return null;
  const model: Model = models.get(text) ?? JSON.parse(text);
  models.delete(text);
  models.set(text, model);
  const [oldest] = models.keys();
  if (models.size > REMEMBERED && oldest !== undefined) models.delete(oldest);
  return model;
}
