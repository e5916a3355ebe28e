// A service on the path of a request is unavailable: the funds held for the request are released immediately.
import { expect, it } from '@jest/globals';
import { responsesBody, waitUntil } from '@tollgate/testkit';
import { must } from '../system/start-system.js';
import { useSystem } from '../system/use-system.js';

const system = useSystem({ mode: 'separate processes' });

it('releases the hold of a request that never reached inference, with nothing unreconciled', async () => {
  const project = await system.project();
  const { api } = await project.customerOn('free');
  must(await api.post('/responses', responsesBody()), 200);
  // Each death doubles the pause before the next start: in the end it is longer than the edge keeps trying.
  for (let death = 0; death < 3; death++) await system.kill('gateway-inference');
  const isRestarted = system.kill('gateway-inference');
  const refused = must(await api.post('/responses', responsesBody()), 503);
  expect(refused).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
  await isRestarted;
  const verify = async () => must(await project.owner.get('/account/ledger/verify'), 200);
  await waitUntil(async () => (await verify()).open_holds === 0, {
    what: 'the hold to be released',
  });
  expect(await verify()).toMatchObject({ differences: [], unreconciled_microcents: 0 });
  const isBack = async () => (await api.post('/responses', responsesBody())).status === 200;
  await waitUntil(isBack, { what: 'the models to be back' });
});
