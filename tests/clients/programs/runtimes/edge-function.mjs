// The app's job as a function of Vercel's edge runtime.
import { doAppJob } from './app-job.mjs';

addEventListener('fetch', (event) => {
  const answer = async () => Response.json({ agent: EdgeRuntime, ...(await doAppJob(await event.request.json())) });
  event.respondWith(answer());
});
