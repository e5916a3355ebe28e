// Receives signed webhooks: registers this address, asks for a sample event, verifies what arrives. `--once` ends after one.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { verifyWebhook } from '@tollgate/client';
import { local, owner } from '../local.js';

const isOnce = process.argv.includes('--once');
let secret = '';
/** An event may arrive twice: its id shows it. A real receiver keeps the ids in its database. */
const seen = new Set<string>();

const server = createServer(async (req, res) => {
  try {
    const event = await verifyWebhook({ payload: await text(req), headers: req.headers, secret });
    if (!seen.has(event.event_id)) console.log(`Received ${event.event_type} ${event.event_id}`);
    seen.add(event.event_id);
    res.writeHead(204).end();
    if (isOnce) process.emit('SIGINT');
  } catch (error) {
    console.log(`Refused: ${error}`);
    res.writeHead(400).end();
  }
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');

const { webhook } = await owner.createWebhook(local.project_id, {
  endpoint_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
  events: ['request.completed'],
  signature_form: 'standard',
});
secret = webhook.signing_secret ?? '';
process.once('SIGINT', async () => {
  await owner.deleteWebhook(local.project_id, webhook.id);
  server.close();
  server.closeAllConnections();
});
console.log('Listening; every model request of the project is reported here. Ctrl-C ends.');
await owner.testWebhook(local.project_id, webhook.id);
