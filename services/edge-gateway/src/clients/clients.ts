import { AgentService } from '@tollgate/contracts/agents/v1/agents_pb.js';
import { StateService } from '@tollgate/contracts/agents/v1/state_pb.js';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { HookService } from '@tollgate/contracts/hooks/v1/hooks_pb.js';
import { InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { MessagingService } from '@tollgate/contracts/messaging/v1/messaging_pb.js';
import { WorkflowService } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import { type Client, GrpcNetwork, type Network } from '@tollgate/rpc';
import type { EdgeConfig } from '../config.js';

/** The services behind the front door, one client per proto service. */
export interface Clients {
  billing: Client<typeof BillingService>;
  inference: Client<typeof InferenceService>;
  workflow: Client<typeof WorkflowService>;
  agents: Client<typeof AgentService>;
  state: Client<typeof StateService>;
  hooks: Client<typeof HookService>;
  messaging: Client<typeof MessagingService>;
}

export function createClients(network: Network): Clients {
  return {
    billing: network.client(BillingService),
    inference: network.client(InferenceService),
    workflow: network.client(WorkflowService),
    agents: network.client(AgentService),
    state: network.client(StateService),
    hooks: network.client(HookService),
    messaging: network.client(MessagingService),
  };
}

/** Peers over gRPC, each at the address its configuration names. */
export function grpcNetwork(config: EdgeConfig): GrpcNetwork {
  const { peers } = config;
  return new GrpcNetwork({
    tls: config.tls,
    addresses: {
      [BillingService.typeName]: peers.billing,
      [InferenceService.typeName]: peers.inference,
      [WorkflowService.typeName]: peers.workflow,
      [AgentService.typeName]: peers.agents,
      [StateService.typeName]: peers.agents,
      [HookService.typeName]: peers.hooks,
      [MessagingService.typeName]: peers.messaging,
    },
  });
}
