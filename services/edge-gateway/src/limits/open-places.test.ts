import { expect, it } from '@jest/globals';
import { OpenPlaces } from './open-places.js';

const limits = { things: 'streams', advice: 'close one', max: 1_000, perProjectMax: 400, perCustomerMax: 40 };

const take = (streams: OpenPlaces, customerId: string, times: number, projectId = 'p1') =>
  Array.from({ length: times }, () => streams.take({ projectId, customerId }));

it('refuses a customer and a project that have too many streams, until one is closed', () => {
  const streams = new OpenPlaces(limits);
  const [free] = take(streams, 'c1', 40);
  expect(() => take(streams, 'c1', 1)).toThrow('the customer has 40 streams');
  free!();
  free!();
  take(streams, 'c1', 1);
  expect(() => take(streams, 'c1', 1)).toThrow('the customer has 40 streams');
  take(streams, '', 360);
  expect(() => take(streams, '', 1)).toThrow('the project has 400 streams');
  expect(() => take(streams, 'c2', 1)).toThrow('the project has 400 streams');
});

it('refuses everybody when the process has too many', () => {
  const streams = new OpenPlaces(limits);
  for (const project of ['p1', 'p2']) take(streams, '', 400, project);
  const [free] = take(streams, '', 200, 'p3');
  expect(() => take(streams, '', 1, 'p4')).toThrow('too many streams');
  free!();
  take(streams, '', 1, 'p4');
});
