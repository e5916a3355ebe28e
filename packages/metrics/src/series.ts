import type { Labels } from './family.js';

/** What stands for all label values beyond the limit, as OpenTelemetry specifies it. */
const OVERFLOW: Labels = { 'otel.metric.overflow': 'true' };

/** The series of one instrument by label values. Values beyond the limit share one series. */
export class Series<Cell> {
  readonly #cells = new Map<string, { labels: Labels; cell: Cell }>();
  readonly #names: readonly string[];
  readonly #max: number;
  readonly #create: () => Cell;
  #overflow: Cell | undefined;

  constructor(names: readonly string[], max: number, create: () => Cell) {
    this.#names = names;
    this.#max = max;
    this.#create = create;
  }

  get(labels: Labels): Cell {
    const key = keyFrom(this.#names, labels);
    const found = this.#cells.get(key);
    if (found) return found.cell;
    if (this.#cells.size >= this.#max) {
      this.#overflow ??= this.#create();
      return this.#overflow;
    }
    const cell = this.#create();
    this.#cells.set(key, { labels: pick(this.#names, labels), cell });
    return cell;
  }

  /** Calls `read` for every series, the overflow last. */
  map<Result>(read: (labels: Labels, cell: Cell) => Result): Result[] {
    const results = [...this.#cells.values()].map(({ labels, cell }) => read(labels, cell));
    if (this.#overflow !== undefined) results.push(read(OVERFLOW, this.#overflow));
    return results;
  }
}

function keyFrom(names: readonly string[], labels: Labels): string {
  if (names.length === 1) return labels[names[0]!]!;
  let key = '';
  for (const name of names) key += `${labels[name]}\n`;
  return key;
}

function pick(names: readonly string[], labels: Labels): Labels {
  return Object.fromEntries(names.map((name) => [name, String(labels[name])]));
}
