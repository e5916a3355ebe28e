// The app's job as a worker of Cloudflare's kind.
import { doAppJob } from './app-job.mjs';

export default {
  async fetch(request) {
    return Response.json({ agent: navigator.userAgent, ...(await doAppJob(await request.json())) });
  },
};
