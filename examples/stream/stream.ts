// Streams an answer with the TypeScript client, piece by piece.
import { app, ask } from '../local.js';

for await (const event of app.createResponseStream({ input: ask('write 20 words') })) {
  if (event.type === 'update' && 'delta' in event) process.stdout.write(event.delta ?? '');
}
process.stdout.write('\n');
