export interface ComparedLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
  key: string;
}

/** A longer text is compared by its first and last lines alone. */
const CELLS_MAX = 4_000_000;

/** Compares two texts by their longest common subsequence of lines. */
export function compareLines(before: readonly string[], after: readonly string[]): ComparedLine[] {
  const start = countCommon(before, after);
  const end = countCommon(before.slice(start).reverse(), after.slice(start).reverse());
  const old = before.slice(start, before.length - end);
  const now = after.slice(start, after.length - end);
  const middle = old.length * now.length > CELLS_MAX ? replaceAll(old, now) : walk(old, now, measure(old, now));
  const lines = [...same(before.slice(0, start)), ...middle, ...same(before.slice(before.length - end))];
  return lines.map((line, i) => ({ ...line, key: String(i) }));
}

type Line = Omit<ComparedLine, 'key'>;

function same(texts: readonly string[]): Line[] {
  return texts.map((text) => ({ kind: 'same', text }));
}

function replaceAll(old: readonly string[], now: readonly string[]): Line[] {
  return [
    ...old.map((text): Line => ({ kind: 'removed', text })),
    ...now.map((text): Line => ({ kind: 'added', text })),
  ];
}

function countCommon(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a[count] === b[count]) count++;
  return count;
}

/** Lengths of the common subsequences of the rest of both texts. */
function measure(old: readonly string[], now: readonly string[]): Uint32Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      const isSame = old[i] === now[j];
      lengths[i]![j] = isSame ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
    }
  }
  return lengths;
}

function walk(old: readonly string[], now: readonly string[], lengths: readonly Uint32Array[]): Line[] {
  const lines: Line[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      lines.push({ kind: 'same', text: old[i]! });
      i++;
      j++;
    } else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) lines.push({ kind: 'removed', text: old[i++]! });
    else lines.push({ kind: 'added', text: now[j++]! });
  }
  return [...lines, ...replaceAll(old.slice(i), now.slice(j))];
}
