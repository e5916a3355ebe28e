import { allowOnly, type Params, readMetadata, readText } from '../api/form-data.js';
import { invalid, ProcessorError } from '../api/processor-error.js';
import { emit, need, newId, type ProcessorState, seconds } from '../processor-state.js';
import type { Metadata, WireSetupIntent } from '../wire.js';
import { attachCard } from './customers.js';

export function createSetupIntent(state: ProcessorState, params: Params): WireSetupIntent {
  allowOnly(params, [
    ...['customer', 'usage', 'metadata', 'description'],
    ...['automatic_payment_methods', 'allowed_payment_method_types'],
  ]);
  const customer = readText(params, 'customer') ?? null;
  if (customer !== null) need(state, 'customer', customer, 'customer');
  return setupIntentFor(state, customer, readMetadata(params), readText(params, 'usage') ?? 'off_session');
}

export function setupIntentFor(
  state: ProcessorState,
  customer: string | null,
  metadata: Metadata,
  usage = 'off_session',
): WireSetupIntent {
  const id = newId('seti');
  return state.store.put({
    id,
    object: 'setup_intent',
    client_secret: `${id}_secret_${newId('x')}`,
    created: seconds(state),
    customer,
    last_setup_error: null,
    livemode: false,
    payment_method: null,
    status: 'requires_payment_method',
    usage,
    metadata,
  });
}

/**
 * Confirms the setup as a browser does with the client secret. @throws ProcessorError 402 when the card cannot be saved
 */
export function confirmSetupIntent(state: ProcessorState, id: string, params: Params): WireSetupIntent {
  const intent = need(state, 'setup_intent', id);
  const card = readText(params, 'payment_method');
  if (card === undefined) throw invalid('Missing required param: payment_method.', 'payment_method');
  if (intent.status !== 'requires_payment_method')
    throw invalid(`This SetupIntent is ${intent.status} and cannot be confirmed.`, 'intent');
  try {
    const method = intent.customer === null ? undefined : attachCard(state, card, intent.customer);
    const done = { ...intent, status: 'succeeded' as const, payment_method: method?.id ?? null };
    state.store.put(done);
    emit(state, 'setup_intent.succeeded', done);
    return done;
  } catch (error) {
    if (error instanceof ProcessorError && error.status === 402) recordFailure(state, intent);
    throw error;
  }
}

function recordFailure(state: ProcessorState, intent: WireSetupIntent): void {
  const failed = {
    ...intent,
    last_setup_error: {
      type: 'card_error' as const,
      code: 'card_declined',
      decline_code: 'generic_decline',
      message: 'Your card was declined.',
    },
  };
  state.store.put(failed);
  emit(state, 'setup_intent.setup_failed', failed);
}
