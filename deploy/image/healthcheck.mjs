// Asks the service in this container whether it is healthy; exit code 0 = yes. For Docker's HEALTHCHECK and for probes that
// have to speak TLS. Needs nothing but Node: gRPC's health check is one small request over HTTP/2.
//   HTTP_PORT set  → GET /readyz on it (the edge)
//   otherwise      → grpc.health.v1.Health/Check on GRPC_PORT, with the RPC_TLS_* files when they are set
// The argument `readiness` asks whether it should get requests at the moment, no argument whether it runs.
import { readFileSync } from 'node:fs';
import { connect } from 'node:http2';

const timeoutMs = 2500;
const [service = ''] = process.argv.slice(2);
const { HTTP_PORT, GRPC_PORT = '50051', RPC_TLS_CERT_FILE, RPC_TLS_KEY_FILE, RPC_TLS_CA_FILE } = process.env;

setTimeout(() => end('no answer in time'), timeoutMs).unref();
(HTTP_PORT ? checkHttp() : checkGrpc()).then(
  (problem) => end(problem),
  (error) => end(error.message),
);

function end(problem) {
  if (problem) console.error(`unhealthy: ${problem}`);
  process.exit(problem ? 1 : 0);
}

async function checkHttp() {
  const response = await fetch(`http://127.0.0.1:${HTTP_PORT}/readyz`);
  return response.ok ? undefined : `HTTP ${response.status}`;
}

async function checkGrpc() {
  const session = RPC_TLS_CERT_FILE && RPC_TLS_KEY_FILE ? connectTls() : connect(`http://127.0.0.1:${GRPC_PORT}`);
  const body = await new Promise((resolve, reject) => {
    const chunks = [];
    session.once('error', reject);
    session
      .request({
        ':method': 'POST',
        ':path': '/grpc.health.v1.Health/Check',
        'content-type': 'application/grpc',
        te: 'trailers',
      })
      .on('error', reject)
      .on('data', (chunk) => chunks.push(chunk))
      .on('end', () => resolve(Buffer.concat(chunks)))
      .end(requestFrame());
  });
  // The answer is a frame of five bytes, then field 1 (status) = 1 (SERVING).
  return body.length === 7 && body[5] === 0x08 && body[6] === 0x01 ? undefined : 'not serving';
}

/** A gRPC frame around HealthCheckRequest {service = 1}; the empty message asks for the health of the server as a whole. */
function requestFrame() {
  const name = Buffer.from(service);
  const message = name.length > 0 ? Buffer.concat([Buffer.from([0x0a, name.length]), name]) : name;
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** The certificate names the service, not the loopback address it is asked on. */
function connectTls() {
  return connect(`https://127.0.0.1:${GRPC_PORT}`, {
    cert: readFileSync(RPC_TLS_CERT_FILE),
    key: readFileSync(RPC_TLS_KEY_FILE),
    ca: RPC_TLS_CA_FILE ? readFileSync(RPC_TLS_CA_FILE) : undefined,
    checkServerIdentity: () => undefined,
  });
}
