import * as grpc from '@grpc/grpc-js';
import { systemClock } from '@tollgate/runtime';
import { PeerNotServing } from '../peer-not-serving.js';

/** grpc.health.v1.ServingStatus */
const UNKNOWN_SERVICE = 3;
const SERVING = 1;
const NOT_SERVING = 2;

/** An object, never the bare name: grpc-js takes a falsy request, such as the empty name, for a missing one. */
interface HealthCheckRequest {
  service: string;
}

/** Serialized HealthCheckRequest {service = 1} and HealthCheckResponse {status = 1}: one field each, coded by hand. */
const serialize = (status: number): Buffer => Buffer.from([0x08, status]);
const deserialize = (bytes: Buffer): HealthCheckRequest => ({
  service: bytes.length > 2 && bytes[0] === 0x0a ? bytes.subarray(2, 2 + (bytes[1] ?? 0)).toString() : '',
});

const definition = (name: string, responseStream: boolean): grpc.MethodDefinition<HealthCheckRequest, number> => ({
  path: `/grpc.health.v1.Health/${name}`,
  requestStream: false,
  responseStream,
  requestSerialize: ({ service }) =>
    Buffer.concat([Buffer.from([0x0a, Buffer.byteLength(service)]), Buffer.from(service)]),
  requestDeserialize: deserialize,
  responseSerialize: serialize,
  responseDeserialize: (bytes) => bytes[1] ?? 0,
});

export const HEALTH: grpc.ServiceDefinition = { check: definition('Check', false), watch: definition('Watch', true) };

/** The name under which a probe asks whether a process should get requests; the empty name asks whether it runs. */
export const READINESS = 'readiness';

/** Why a process should get no requests at the moment; undefined when it should. */
export type NotReadyBecause = () => string | undefined;

/**
 * The standard health service; `setServing(false)` as the first step of a drain takes the process out of rotation. A check of
 * {@link READINESS} that finds a reason carries it in the trailer `reason`.
 */
export class Health {
  #isServing = true;
  readonly #services: Set<string>;
  readonly #notReadyBecause: NotReadyBecause;
  readonly #watchers = new Set<() => void>();

  constructor(services: string[], notReadyBecause: NotReadyBecause = () => undefined) {
    this.#services = new Set(['', READINESS, ...services]);
    this.#notReadyBecause = notReadyBecause;
  }

  setServing(isServing: boolean): void {
    this.#isServing = isServing;
    for (const notify of this.#watchers) notify();
  }

  get handlers(): grpc.UntypedServiceImplementation {
    return {
      check: (call: grpc.ServerUnaryCall<HealthCheckRequest, number>, callback: grpc.sendUnaryData<number>) => {
        const { service } = call.request;
        const status = this.#findStatus(service);
        if (status === UNKNOWN_SERVICE) callback({ code: grpc.status.NOT_FOUND, details: 'unknown service' });
        else callback(null, status, this.#makeTrailer(service));
      },
      watch: (call: grpc.ServerWritableStream<HealthCheckRequest, number>) => {
        const notify = (): void => {
          call.write(this.#findStatus(call.request.service));
        };
        this.#watchers.add(notify);
        call.on('cancelled', () => this.#watchers.delete(notify));
        notify();
      },
    };
  }

  /** Ends watch streams; they would hold up a graceful shutdown. */
  close(): void {
    this.#watchers.clear();
  }

  #findStatus(service: string): number {
    if (!this.#services.has(service)) return UNKNOWN_SERVICE;
    const isReady = service !== READINESS || this.#notReadyBecause() === undefined;
    return this.#isServing && isReady ? SERVING : NOT_SERVING;
  }

  #makeTrailer(service: string): grpc.Metadata {
    const trailer = new grpc.Metadata();
    const reason = service === READINESS ? this.#notReadyBecause() : undefined;
    if (reason !== undefined) trailer.set('reason', reason);
    return trailer;
  }
}

/** The time limit of a probe in the form of grpc-js. A step of the clock may fail the one probe that it meets; the next is right. */
const wallDeadline = (timeoutMs: number): number => systemClock.nowMs() + timeoutMs;

/** Asks a server's health service; false for NOT_SERVING, an error or no answer in time. */
export function checkHealth(
  address: string,
  timeoutMs: number,
  { credentials = grpc.credentials.createInsecure(), service = '' } = {},
): Promise<boolean> {
  const client = new grpc.Client(address, credentials);
  const { path, requestSerialize, responseDeserialize } = definition('Check', false);
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      { service },
      { deadline: wallDeadline(timeoutMs) },
      (error, status) => {
        client.close();
        resolve(!error && status === SERVING);
      },
    );
  });
}

/**
 * Asks one of the peer's replicas over an open channel whether it takes calls.
 *
 * @throws PeerNotServing with the reason of the peer, or the gRPC error of a peer that does not answer
 */
export function checkPeer(client: grpc.Client, timeoutMs: number): Promise<void> {
  const { path, requestSerialize, responseDeserialize } = definition('Check', false);
  const options = { deadline: wallDeadline(timeoutMs) };
  const request = { service: READINESS };
  return new Promise((resolve, reject) => {
    let answer: number | undefined;
    const call = client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      options,
      (error, status) => {
        answer = status;
        if (error) reject(error);
      },
    );
    // Follows the answer, and carries the trailer.
    call.on('status', ({ metadata }) => {
      if (answer === SERVING) resolve();
      else reject(new PeerNotServing(String(metadata.get('reason')[0] ?? 'not ready')));
    });
  });
}
