import * as grpc from '@grpc/grpc-js';
import {
  type HealthCheckRequest,
  type HealthCheckResponse,
  Health as HealthProtocol,
  HealthCheckResponse_ServingStatus as Status,
} from '@tollgate/contracts/grpc/health/v1/health_pb.js';
import { systemClock } from '@tollgate/runtime';
import { methodDefinition, PeerNotServing } from '../service.js';

type Method<Response> = grpc.MethodDefinition<Pick<HealthCheckRequest, 'service'>, Response>;
type Answer = Pick<HealthCheckResponse, 'status'>;

const CHECK = methodDefinition(HealthProtocol.method.check) as Method<Answer>;
const WATCH = methodDefinition(HealthProtocol.method.watch) as Method<Answer>;

export const HEALTH: grpc.ServiceDefinition = { check: CHECK, watch: WATCH };

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
      check: (call: grpc.ServerUnaryCall<HealthCheckRequest, Answer>, callback: grpc.sendUnaryData<Answer>) => {
        const { service } = call.request;
        const status = this.#findStatus(service);
        if (status === Status.SERVICE_UNKNOWN) callback({ code: grpc.status.NOT_FOUND, details: 'unknown service' });
        else callback(null, { status }, this.#makeTrailer(service));
      },
      watch: (call: grpc.ServerWritableStream<HealthCheckRequest, Answer>) => {
        const notify = (): void => {
          call.write({ status: this.#findStatus(call.request.service) });
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

  #findStatus(service: string): Status {
    if (!this.#services.has(service)) return Status.SERVICE_UNKNOWN;
    const isReady = service !== READINESS || this.#notReadyBecause() === undefined;
    return this.#isServing && isReady ? Status.SERVING : Status.NOT_SERVING;
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
  return new Promise((resolve) => {
    request(client, service, timeoutMs, (error, answer) => {
      client.close();
      resolve(!error && answer?.status === Status.SERVING);
    });
  });
}

/**
 * Asks one of the peer's replicas over an open channel whether it takes calls.
 *
 * @throws PeerNotServing with the reason of the peer, or the gRPC error of a peer that does not answer
 */
export function checkPeer(client: grpc.Client, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let status: Status | undefined;
    const call = request(client, READINESS, timeoutMs, (error, answer) => {
      status = answer?.status;
      if (error) reject(error);
    });
    // Follows the answer, and carries the trailer.
    call.on('status', ({ metadata }) => {
      if (status === Status.SERVING) resolve();
      else reject(new PeerNotServing(String(metadata.get('reason')[0] ?? 'not ready')));
    });
  });
}

function request(client: grpc.Client, service: string, timeoutMs: number, callback: grpc.requestCallback<Answer>) {
  const { path, requestSerialize, responseDeserialize } = CHECK;
  const options = { deadline: wallDeadline(timeoutMs) };
  return client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { service }, options, callback);
}
