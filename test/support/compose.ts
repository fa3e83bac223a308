import { readPage } from './markdown';

export interface ComposeService {
  image: string;
  build?: string;
  command?: string[];
  user?: string;
  ports?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  restart?: string;
  healthcheck?: { test: string[] };
  mem_limit?: string;
  read_only?: boolean;
}

interface ComposeFile {
  services: Record<string, ComposeService>;
  volumes: Record<string, unknown>;
}

interface Script {
  readCompose(file: string, variables: Record<string, string>): { file: ComposeFile; refused: string[] };
}

/** A compose file of this repository as compose reads it with these variables, and the variables whose lack it refuses. */
export function readCompose(path: string, variables: Record<string, string> = {}) {
  // Plain JavaScript, which has no types of its own.
  const { readCompose } = require('../../scripts/support/compose-text.mjs') as Script;
  const { file, refused } = readCompose(readPage(path), variables);
  return { ...file, refused };
}
