import * as grpc from '@grpc/grpc-js';

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

/** The standard health service; `setServing(false)` as the first step of a drain takes the process out of rotation. */
export class Health {
  #isServing = true;
  readonly #services: Set<string>;
  readonly #watchers = new Set<() => void>();

  constructor(services: string[]) {
    this.#services = new Set(['', ...services]);
  }

  setServing(isServing: boolean): void {
    this.#isServing = isServing;
    for (const notify of this.#watchers) notify();
  }

  get handlers(): grpc.UntypedServiceImplementation {
    return {
      check: (call: grpc.ServerUnaryCall<HealthCheckRequest, number>, callback: grpc.sendUnaryData<number>) => {
        const status = this.#statusOf(call.request.service);
        if (status === UNKNOWN_SERVICE) callback({ code: grpc.status.NOT_FOUND, details: 'unknown service' });
        else callback(null, status);
      },
      watch: (call: grpc.ServerWritableStream<HealthCheckRequest, number>) => {
        const notify = (): void => {
          call.write(this.#statusOf(call.request.service));
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

  #statusOf(service: string): number {
    if (!this.#services.has(service)) return UNKNOWN_SERVICE;
    return this.#isServing ? SERVING : NOT_SERVING;
  }
}

/** Asks a server's health service; false for NOT_SERVING, an error or no answer in time. */
export function checkHealth(
  address: string,
  timeoutMs: number,
  credentials = grpc.credentials.createInsecure(),
): Promise<boolean> {
  const client = new grpc.Client(address, credentials);
  const { path, requestSerialize, responseDeserialize } = definition('Check', false);
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      { service: '' },
      { deadline: Date.now() + timeoutMs },
      (error, status) => {
        client.close();
        resolve(!error && status === SERVING);
      },
    );
  });
}
