/** A piece of a streamed answer as it is sent, and its number of tokens. */
export interface Frame {
  text: string;
  tokens: number;
}

/** Identity of one upstream call, shared by its frames and its body. */
export interface CallIdentity {
  /** Number of the call, from 1. */
  number: number;
  model: string;
  createdAtSeconds: number;
}

/** `data:` line of a server-sent event. */
export function sseData(payload: object, tokens = 0): Frame {
  return { text: `data: ${JSON.stringify(payload)}\n\n`, tokens };
}

/** Server-sent event with a name. */
export function sseEvent(event: string, payload: object, tokens = 0): Frame {
  return { text: `event: ${event}\ndata: ${JSON.stringify(payload)}\n\n`, tokens };
}
