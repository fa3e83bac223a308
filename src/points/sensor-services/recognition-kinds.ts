import { posePrediction } from './pose-prediction';
import type { RecognitionKind } from './recognition';
import { stateRecognition } from './state-recognition';

const KINDS: readonly RecognitionKind[] = [stateRecognition, posePrediction];

export function recognitionKindNamed(name: string): RecognitionKind | undefined {
  return KINDS.find((kind) => kind.name === name);
}
