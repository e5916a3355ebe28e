import type { ProviderId } from '@tollgate/api/model-requests';

/** A connection to a vendor's session. */
export interface RealtimeCall {
  requestId: string;
  /** The model's name at the provider. */
  upstreamModel: string;
  /** Ends the attempt to connect. */
  signal: AbortSignal;
}

/** A vendor's session: events as JSON in both directions. */
export interface RealtimeConnection {
  /** The vendor's events in order, read one by one. Ends when the connection is closed. */
  readonly events: AsyncIterable<string>;
  /** Resolves when the connection has taken the event, so that a slow vendor stops its sender. */
  send(event: string): Promise<void>;
  close(): void;
}

/** A provider of sessions in OpenAI's dialect. */
export interface RealtimeProvider {
  readonly id: ProviderId;
  /** @throws ProviderFailure when the vendor refuses or cannot be reached */
  connect(call: RealtimeCall): Promise<RealtimeConnection>;
}
