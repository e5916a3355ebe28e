import { realtimeQuery } from '@tollgate/api/model-requests';
import { AppError } from '@tollgate/errors';
import { defineRoute } from '../../exchange/route.js';

/** Requests without an upgrade. Upgrades are taken from the listener by `http/realtime/upgrade.ts`. */
export const connectRealtime = defineRoute({
  method: 'GET',
  path: '/v1/realtime',
  tag: 'Compatible endpoints',
  summary: 'Open a realtime session as a WebSocket',
  operationId: 'connectRealtime',
  description:
    'Opens a session of OpenAI’s Realtime API (GA interface): events as JSON in both directions, for text and speech. A browser sends its customer token as the subprotocol `openai-insecure-api-key.<token>` beside `realtime`. Each response is held for before it begins, and charged before `response.done` is sent. When funds do not cover the next response, an `error` event has the code of the refusal, and the session continues. `session.audio.input.transcription` takes a model that serves transcripts, with `language` and `prompt`: each transcript is held for before the speech reaches the vendor, and charged at the price of its model before it is sent. When funds do not cover it, an `error` event says so, and transcripts are turned off. Not supported: tools of the type `mcp`, `prompt`, `idle_timeout_ms`, and sessions of other types.',
  auth: ['secret_key', 'customer'],
  query: realtimeQuery,
  success: { status: 101 },
  refusals: [400, 402, 404],
  errorShape: 'openai',
  handler: () => {
    throw new AppError('INVALID_INPUT', 'this endpoint takes WebSocket connections: send Upgrade: websocket');
  },
});
