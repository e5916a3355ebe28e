import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpenApiDocument } from './document.js';
import { writeOperations } from './write-operations.js';
import { writeSchema } from './write-schema.js';

const FOLDER = fileURLToPath(new URL('../gen/', import.meta.url));

/** Writes the generated files, or returns the names of those that differ from the document. */
export async function generateCore(document: OpenApiDocument, { isCheck }: { isCheck: boolean }): Promise<string[]> {
  const files = { 'schema.ts': await writeSchema(document), 'operations.ts': writeOperations(document) };
  const differing = Object.entries(files).filter(([name, text]) => readText(join(FOLDER, name)) !== text);
  if (!isCheck) {
    mkdirSync(FOLDER, { recursive: true });
    for (const [name, text] of differing) writeFileSync(join(FOLDER, name), text);
  }
  return differing.map(([name]) => name);
}

function readText(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
