import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Behavior } from '../behavior.js';
import { RealtimeFakeSession } from './realtime-session.js';
import type { RealtimeResponseEntry } from './response-parts.js';
import type { RealtimeTranscriptEntry } from './transcripts.js';

/** Sessions of the Realtime API at the fake. */
export interface FakeRealtime {
  /** Every response, oldest first. */
  readonly responses: readonly RealtimeResponseEntry[];
  /** Every transcript of speech, oldest first. */
  readonly transcripts: readonly RealtimeTranscriptEntry[];
  /** Headers and address of each upgrade. */
  readonly upgrades: readonly { url: string; authorization: string | undefined }[];
  openCount(): number;
  /** Behavior of every later response; words in a text extend it. */
  always(behavior: Behavior): void;
  /** Breaks every connection. */
  cut(): void;
}

/** Takes the upgrades of `/v1/realtime`. `apiKey`: others are refused with 401. */
export function serveRealtime(server: Server, apiKey: string | undefined): FakeRealtime {
  const responses: RealtimeResponseEntry[] = [];
  const transcripts: RealtimeTranscriptEntry[] = [];
  const upgrades: { url: string; authorization: string | undefined }[] = [];
  const open = new Set<WebSocket>();
  let standing: Behavior = {};
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = new URL(req.url ?? '/', 'http://fake');
    const { authorization } = req.headers;
    upgrades.push({ url: req.url ?? '', authorization });
    const isKnown = apiKey === undefined || authorization === `Bearer ${apiKey}`;
    if (url.pathname !== '/v1/realtime' || !isKnown || standing.hang === 'before_headers') {
      const status = isKnown ? '404 Not Found' : '401 Unauthorized';
      if (standing.hang !== 'before_headers') socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(req, socket, head, (ws) => {
      open.add(ws);
      ws.once('close', () => open.delete(ws));
      new RealtimeFakeSession(ws, url.searchParams.get('model') ?? '', { responses, transcripts }, () => standing);
    });
  });
  server.on('close', () => {
    for (const ws of open) ws.terminate();
  });
  return {
    responses,
    transcripts,
    upgrades,
    openCount: () => open.size,
    always: (behavior) => {
      standing = behavior;
    },
    cut: () => {
      for (const ws of open) ws.terminate();
    },
  };
}
