import { anySource, nodeSource, type pathSource } from '@tollgate/api/runs';
import type { z } from 'zod';
import type { Source } from '../../plan/plan.js';
import { ITEM_REFERENCE, inputReference, isNodeReference } from '../../plan/references.js';
import { toPointer } from '../../values/json-pointer.js';
import type { CompileScope, Read } from '../compiled-node.js';
import type { Path } from '../issues.js';

/** The name of a fan-out's item inside its sub-node. */
const ITEM = 'item';

/** Returns the schema of a source in this kind of spec. */
export function sourceSchema({ kind }: CompileScope): typeof nodeSource | typeof anySource {
  return kind === 'workflow.v0' ? nodeSource : anySource;
}

/** Converts `from` or `from_input` to the reference under which the value is read. */
export function toReference(
  source: { from?: string | undefined; from_input?: string | undefined },
  path: Path,
  scope: CompileScope,
): string {
  const { from_input: name, from = '' } = source;
  if (name === undefined) return scope.isSubnode && from === ITEM ? ITEM_REFERENCE : from;
  if (!scope.inputs.has(name)) scope.issues.add('UNKNOWN_INPUT', [...path, 'from_input'], `no declared input ${name}`);
  return inputReference(name);
}

/** Converts a parsed source to the form of the plan. */
export function compileSource(source: z.output<typeof anySource>, path: Path, scope: CompileScope): Source {
  return { from: toReference(source, path, scope), pointer: source.pointer };
}

export function compilePathSource(source: z.output<typeof pathSource>, path: Path, scope: CompileScope): Source {
  return { from: toReference(source, path, scope), pointer: readPointer(source) };
}

/** Converts `pointer` or `path` to a pointer. */
export function readPointer(place: { pointer?: string | undefined; path?: string | undefined }): string {
  return place.pointer ?? pathToPointer(place.path ?? '');
}

const STEP = /\.([A-Za-z_][A-Za-z0-9_-]*)|\[(\d+)\]|\['([^'\\]*)'\]/g;

/** Converts `$.a[0]['b c']` to a JSON Pointer. Returns a pointer unchanged. */
export function pathToPointer(path: string): string {
  if (!path.startsWith('$')) return path;
  return toPointer([...path.matchAll(STEP)].map((step) => step[1] ?? step[2] ?? step[3] ?? ''));
}

/** Returns the sources that are outputs of other nodes. */
export function findReads(sources: readonly { source: Source; path: Path }[]): Read[] {
  return sources
    .filter(({ source }) => isNodeReference(source.from))
    .map(({ source, path }) => ({ nodeId: source.from, path: [...path, 'from'] }));
}
