import * as grpc from '@grpc/grpc-js';
import {
  Http2SubchannelConnector,
  type SubchannelConnector,
  type Transport,
} from '@grpc/grpc-js/build/src/transport.js';

/** The private members of a connection of grpc-js that are used here. */
interface Connection extends Transport {
  session: { closed: boolean };
  canSendPing(): boolean;
}

/** Opens a client whose running calls survive the drain of their server. */
export function openClient(address: string, credentials: grpc.ChannelCredentials, options: grpc.ClientOptions) {
  return new grpc.Client(address, credentials, options);
}

// A server that stops, or recycles an old connection, announces it by GOAWAY and finishes the running calls. Node sends no
// pings on such a connection, and grpc-js takes that for a lost connection: its next keepalive, up to 30 s later, fails
// the calls (https://github.com/grpc/grpc-node/issues/3068). Without the pings, deadlines end the calls of a lost server.
const connector: SubchannelConnector = Http2SubchannelConnector.prototype;
const { connect } = connector;
connector.connect = async function (...args) {
  const connection = (await connect.apply(this, args)) as Connection;
  const canSendPing = connection.canSendPing.bind(connection);
  connection.canSendPing = () => !connection.session.closed && canSendPing();
  return connection;
};
