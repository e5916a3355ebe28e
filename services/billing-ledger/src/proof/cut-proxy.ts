import { connect, createServer, type Socket } from 'node:net';

// A proxy between a service and PostgreSQL. It parses enough of the wire protocol to cut a connection at a chosen
// statement. The service under test is unchanged.

/** Where to cut: at the nth watched statement after `arm`. */
export interface Cut {
  at: number;
  /** `before`: the server does not receive the statement. `after`: the server executes it and the response is dropped. */
  when: 'before' | 'after';
}

export interface CutProxy {
  url: string;
  /** Statements seen since `arm`, by name or text. */
  readonly seen: string[];
  /** Whether the cut happened. */
  readonly isCut: boolean;
  /** Starts counting; without a cut it only records. */
  arm(cut?: Cut): void;
  /** Delays everything from this statement until `resume`. */
  pauseAt(statement: string): void;
  resume(): void;
  stop(): Promise<void>;
}

interface State {
  seen: string[];
  cut: Cut | undefined;
  isCut: boolean;
  isArmed: boolean;
  pauseAt: string | undefined;
  waiting: (() => void)[] | undefined;
}

/** `isWatched` receives a statement's name or text and decides whether it counts. A commit counts after a counted statement. */
export async function startCutProxy(databaseUrl: string, isWatched: (statement: string) => boolean): Promise<CutProxy> {
  const target = new URL(databaseUrl);
  const state: State = {
    seen: [],
    cut: undefined,
    isCut: false,
    isArmed: false,
    pauseAt: undefined,
    waiting: undefined,
  };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    sockets.add(client);
    sockets.add(upstream);
    relay(client, upstream, state, isWatched);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    get seen() {
      return state.seen;
    },
    get isCut() {
      return state.isCut;
    },
    arm: (cut) => Object.assign(state, { seen: [], cut, isCut: false, isArmed: true }),
    pauseAt: (statement) => {
      state.pauseAt = statement;
    },
    resume: () => {
      const waiting = state.waiting ?? [];
      state.waiting = undefined;
      state.pauseAt = undefined;
      for (const go of waiting) go();
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function relay(client: Socket, upstream: Socket, state: State, isWatched: (statement: string) => boolean): void {
  const end = (): void => {
    client.destroy();
    upstream.destroy();
  };
  for (const socket of [client, upstream]) socket.on('error', end).on('close', end).setNoDelay(true);
  const readClient = messageReader(true);
  const readServer = messageReader(false);
  /** Set when the connection will be cut instead of forwarding its next "ready" message. */
  let isDoomed = false;
  let hasWatched = false;
  /** A commit counts if a statement of its transaction counted. */
  const isEndOfWatched = (statement: string): boolean => statement === 'COMMIT' && hasWatched;
  client.on('data', (chunk) => {
    for (const message of readClient(chunk)) {
      const statement = readStatement(message);
      const counts = statement !== undefined && state.isArmed && (isWatched(statement) || isEndOfWatched(statement));
      if (counts) state.seen.push(statement);
      if (statement === 'BEGIN' || statement === 'COMMIT' || statement === 'ROLLBACK') hasWatched = false;
      else if (counts) hasWatched = true;
      const { cut } = state;
      if (counts && cut && !state.isCut && state.seen.length === cut.at) {
        state.isCut = true;
        if (cut.when === 'before') return end();
        isDoomed = true;
      }
      if (state.pauseAt !== undefined && readName(message) === state.pauseAt) state.waiting ??= [];
      if (state.waiting) state.waiting.push(() => upstream.write(message));
      else upstream.write(message);
    }
  });
  upstream.on('data', (chunk) => {
    if (!isDoomed) return void client.write(chunk);
    for (const message of readServer(chunk)) if (message[0] === READY) return end();
  });
}

const READY = 'Z'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);
const PARSE = 'P'.charCodeAt(0);
const BIND = 'B'.charCodeAt(0);

/** Splits one direction of the connection into messages. The client's first message has no type byte. */
function messageReader(hasStartup: boolean): (chunk: Buffer) => Buffer[] {
  let rest = Buffer.alloc(0);
  let isStartup = hasStartup;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: Buffer[] = [];
    for (;;) {
      const head = isStartup ? 0 : 1;
      if (rest.length < head + 4) return messages;
      const length = head + rest.readUInt32BE(head);
      if (rest.length < length) return messages;
      messages.push(rest.subarray(0, length));
      rest = rest.subarray(length);
      isStartup = false;
    }
  };
}

/** Returns the text of simple queries and unnamed statements, and the name of named statements when they are executed. */
function readStatement(message: Buffer): string | undefined {
  if (message[0] === QUERY) return textFrom(message, 5);
  if (message[0] === PARSE) {
    const name = textFrom(message, 5);
    return name === '' ? textFrom(message, 6).replaceAll(/\s+/g, ' ') : undefined;
  }
  if (message[0] !== BIND) return undefined;
  const portal = textFrom(message, 5);
  return textFrom(message, 6 + Buffer.byteLength(portal)) || undefined;
}

/** Like `readStatement`, but also returns a named statement's name when it is prepared. */
function readName(message: Buffer): string | undefined {
  return message[0] === PARSE ? textFrom(message, 5) : readStatement(message);
}

function textFrom(message: Buffer, start: number): string {
  return message.toString('utf8', start, message.indexOf(0, start));
}
