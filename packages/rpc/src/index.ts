import './text-encoding.js';

export { Call, type CallOptions, DEADLINE_SHAVE_MS, DEFAULT_TIMEOUT_MS, startCall } from './call.js';
export { GrpcNetwork, type GrpcNetworkOptions, HOT_METHODS } from './grpc/grpc-network.js';
export { CALL_MS_MAX, type RpcServer, type RpcServerOptions, startRpcServer } from './grpc/grpc-server.js';
export { checkHealth, READINESS } from './grpc/health.js';
export type { TlsFiles } from './grpc/tls.js';
export { LocalNetwork } from './local-network.js';
export { measureCalls } from './measure-calls.js';
export {
  type Client,
  type Handlers,
  methodPath,
  type Network,
  PeerNotServing,
  type Registration,
  register,
} from './service.js';
export {
  logUnexpectedErrors,
  notDelivered,
  onUnexpectedError,
  toAppError,
  wasNotDelivered,
} from './wire-errors.js';
