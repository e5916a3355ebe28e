import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { WireObject, WireObjectOf } from '../wire.js';

/** All objects of the fake. A changed object must be put again; nothing else records the change. */
export interface ObjectStore {
  get<Name extends WireObject['object']>(kind: Name, id: string): WireObjectOf<Name> | undefined;
  /** Oldest first. */
  all<Name extends WireObject['object']>(kind: Name): WireObjectOf<Name>[];
  put<T extends WireObject>(object: T): T;
}

/**
 * Objects in memory and, with a file, on disk: every change is a line that is written before its answer is sent, so
 * that a restart finds every change that a client has seen.
 */
export function openObjectStore(file?: string): ObjectStore {
  const kinds = new Map<string, Map<string, WireObject>>();
  const keep = (object: WireObject): void => {
    const kind = kinds.get(object.object) ?? new Map<string, WireObject>();
    kinds.set(object.object, kind.set(object.id, object));
  };
  if (file !== undefined && existsSync(file)) {
    for (const object of readLines(file)) keep(object);
    compact(file, kinds);
  }
  return {
    get: (kind, id) => structuredClone(kinds.get(kind)?.get(id)) as never,
    all: (kind) => structuredClone([...(kinds.get(kind)?.values() ?? [])]) as never,
    put: (object) => {
      const copy = structuredClone(object);
      if (file !== undefined) appendFileSync(file, `${JSON.stringify(copy)}\n`);
      keep(copy);
      return object;
    },
  };
}

/** A killed process may have written half of the last line; no client has seen that change. */
function readLines(file: string): WireObject[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as WireObject];
      } catch {
        return [];
      }
    });
}

function compact(file: string, kinds: Map<string, Map<string, WireObject>>): void {
  const lines = [...kinds.values()].flatMap((kind) => [...kind.values()].map((object) => JSON.stringify(object)));
  writeFileSync(`${file}.new`, lines.map((line) => `${line}\n`).join(''));
  renameSync(`${file}.new`, file);
}
