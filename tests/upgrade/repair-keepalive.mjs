// Loaded before a service of a version without packages/rpc/src/grpc/open-client.ts. Such a version fails a running call when a
// keepalive is due while its callee drains, about once in thirty stops under this test's load. Remove this file when the
// previous version has the repair.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [, main] = process.argv; // services/<name>/dist/main.js
const require = createRequire(new URL('../../../packages/rpc/package.json', pathToFileURL(main)));
const { prototype } = require('@grpc/grpc-js/build/src/transport.js').Http2SubchannelConnector;
const { connect } = prototype;
prototype.connect = async function (...args) {
  const connection = await connect.apply(this, args);
  const canSendPing = connection.canSendPing.bind(connection);
  connection.canSendPing = () => !connection.session.closed && canSendPing();
  return connection;
};
