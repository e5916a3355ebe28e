// Whose code a process spent its time in, from a CPU profile of it.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A CPU profile as Node writes it with `--cpu-prof`: times in microseconds, on the clock of `process.hrtime`. */
interface CpuProfile {
  startTime: number;
  nodes: ProfileNode[];
  samples: number[];
  timeDeltas: number[];
}

interface ProfileNode {
  id: number;
  children?: number[];
  callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number };
}

/** A period on the clock of `process.hrtime`, in microseconds. */
export interface Period {
  from: number;
  to: number;
}

/**
 * Returns the share of the busy time of a period for each group of source files. A sample counts for the innermost function
 * that is not Node's own: what Node does on behalf of a file belongs to that file.
 *
 * @param groups patterns of source paths, by name; the first that matches counts
 */
export function readSourceShares(
  profileFile: string,
  { from, to }: Period,
  groups: Readonly<Record<string, RegExp>>,
): Record<string, number> {
  const profile: CpuProfile = JSON.parse(readFileSync(profileFile, 'utf8'));
  const groupOfNode = assignGroups(profile.nodes, groups);
  const spent = new Map<string, number>();
  let busy = 0;
  let at = profile.startTime;
  for (const [index, id] of profile.samples.entries()) {
    const delta = profile.timeDeltas[index] ?? 0;
    at += delta;
    const group = groupOfNode.get(id);
    if (at < from || at > to || group === undefined) continue;
    busy += delta;
    spent.set(group, (spent.get(group) ?? 0) + delta);
  }
  return Object.fromEntries(Object.keys(groups).map((name) => [name, (spent.get(name) ?? 0) / busy]));
}

const OTHER = 'other';

/** Nodes without a group are idle time. */
function assignGroups(nodes: readonly ProfileNode[], groups: Readonly<Record<string, RegExp>>): Map<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const sources = new SourceFiles();
  const groupOfNode = new Map<number, string>();
  const visit = (node: ProfileNode, inherited: string): void => {
    const { functionName, url } = node.callFrame;
    if (functionName === '(idle)') return;
    const group = url.startsWith('file:') ? chooseGroup(sources.find(node), groups) : inherited;
    groupOfNode.set(node.id, group);
    for (const child of node.children ?? []) visit(byId.get(child) as ProfileNode, group);
  };
  if (nodes[0]) visit(nodes[0], OTHER);
  return groupOfNode;
}

function chooseGroup(source: string, groups: Readonly<Record<string, RegExp>>): string {
  return Object.keys(groups).find((name) => groups[name]?.test(source)) ?? OTHER;
}

/** Finds the source of a function in a bundle. */
class SourceFiles {
  readonly #maps = new Map<string, SourceMap | undefined>();

  find({ callFrame: { url, lineNumber, columnNumber } }: ProfileNode): string {
    if (!this.#maps.has(url)) this.#maps.set(url, readMap(url));
    const entry = this.#maps.get(url)?.findEntry(lineNumber, columnNumber);
    return entry && 'originalSource' in entry ? entry.originalSource : url;
  }
}

function readMap(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}
