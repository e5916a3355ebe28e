import { placeNode } from './place-node.js';
import type { AgentNode, AgentPin, Plan, PlanNode, SchedulerNode, Subnode } from './plan.js';

/**
 * Sub-nodes are determined by the plan and by their ids, so that any process can reconstruct them. Ids in a spec
 * contain no dot and no dash, and start with a letter.
 *
 * | Parent            | Local id                               | Sub-node                           |
 * | ----------------- | -------------------------------------- | ---------------------------------- |
 * | `map.fanout`      | index of the item                      | the fan-out's own                  |
 * | `agent.run`       | `<tool>-<step>-<position>-<try>`       | a call of one of its fragments     |
 * | a fragment's call | id in the fragment                     | a node of the fragment             |
 * | `agent.scheduler` | `<round>_<agent>_<nth>`, `<round>_c`   | an agent; the coordinator          |
 */
const SEPARATOR = '.';

export function childId(parentId: string, localId: string | number): string {
  return `${parentId}${SEPARATOR}${localId}`;
}

export function toParentId(nodeId: string): string | undefined {
  const at = nodeId.lastIndexOf(SEPARATOR);
  return at === -1 ? undefined : nodeId.slice(0, at);
}

/** Returns a node's id in its own graph. */
export function toLocalId(nodeId: string): string {
  return nodeId.slice(nodeId.lastIndexOf(SEPARATOR) + 1);
}

/** Returns the ids of a node's ancestors, nearest first. */
export function listAncestorIds(nodeId: string): string[] {
  const parentId = toParentId(nodeId);
  return parentId === undefined ? [] : [parentId, ...listAncestorIds(parentId)];
}

/** Returns the definition of a node of the plan or of a sub-node. */
export function requireNode(plan: Plan, nodeId: string): PlanNode {
  const parentId = toParentId(nodeId);
  const node =
    parentId === undefined ? findNode(plan.nodes, nodeId) : findChild(plan, requireNode(plan, parentId), nodeId);
  if (!node) throw new Error(`the plan has no node ${nodeId}`);
  return node;
}

/** Returns the agent that a node acts for: its own, or that of its nearest ancestor. */
export function agentAround(plan: Plan, nodeId: string): AgentPin | undefined {
  for (const id of [nodeId, ...listAncestorIds(nodeId)]) {
    const node = requireNode(plan, id);
    if (node.type === 'agent.run') return node.agent;
  }
  return undefined;
}

/** Returns the nodes of a node's graph; none for a sub-node outside a graph. */
export function listSiblings(plan: Plan, nodeId: string): readonly PlanNode[] {
  const parentId = toParentId(nodeId);
  if (parentId === undefined) return plan.nodes;
  if (!isFragmentCall(parentId)) return [];
  return listGraphNodes(plan, parentId);
}

/** Returns the nodes of a fragment call. */
export function listGraphNodes(plan: Plan, callId: string): PlanNode[] {
  const call = requireNode(plan, callId);
  return call.type === 'fragment' ? call.graph.nodes.map((node) => placeNode(node, callId)) : [];
}

/** Returns how many sub-nodes of a parent may be active at once. */
export function childParallelism(parent: PlanNode): number {
  switch (parent.type) {
    case 'map.fanout':
      return parent.max_parallelism;
    case 'agent.scheduler':
      return parent.policy.max_concurrency;
    default:
      return Number.POSITIVE_INFINITY;
  }
}

/** Whether a parent handles the failure of a sub-node; otherwise the parent fails with it. */
export function judgesFailures(parent: PlanNode): boolean {
  return parent.type === 'agent.run' || parent.type === 'agent.scheduler';
}

/** One call of a fragment that is an agent's tool. */
export interface FragmentCall {
  tool: string;
  step: number;
  position: number;
  /** Counts the retries from 0. */
  attempt: number;
}

const FRAGMENT_CALL = /^(.+)-(\d+)-(\d+)-(\d+)$/;

export function fragmentCallId(agentId: string, { tool, step, position, attempt }: FragmentCall): string {
  return childId(agentId, `${tool}-${step}-${position}-${attempt}`);
}

export function isFragmentCall(nodeId: string): boolean {
  return FRAGMENT_CALL.test(toLocalId(nodeId));
}

/** The place of an agent in a scheduler's rounds, which are counted from 1. */
export interface ScheduledPlace {
  round: number;
  /** Absent for the coordinator. */
  worker?: { agent: number; nth: number };
}

const SCHEDULED = /^(\d+)_(?:c|(\d+)_(\d+))$/;

export function scheduledId(schedulerId: string, { round, worker }: ScheduledPlace): string {
  return childId(schedulerId, worker ? `${round}_${worker.agent}_${worker.nth}` : `${round}_c`);
}

export function scheduledPlace(nodeId: string): ScheduledPlace | undefined {
  const match = SCHEDULED.exec(toLocalId(nodeId));
  if (!match) return undefined;
  const [, round, agent, nth] = match;
  return { round: Number(round), ...(agent !== undefined && { worker: { agent: Number(agent), nth: Number(nth) } }) };
}

function findNode(nodes: readonly PlanNode[], id: string): PlanNode | undefined {
  return nodes.find((candidate) => candidate.id === id);
}

function findChild(plan: Plan, parent: PlanNode, nodeId: string): PlanNode | undefined {
  switch (parent.type) {
    case 'map.fanout':
      return { ...parent.subnode, id: nodeId, after: [] };
    case 'agent.run':
      return findFragment(plan, parent, nodeId);
    case 'fragment': {
      const node = findNode(parent.graph.nodes, toLocalId(nodeId));
      return node && placeNode(node, parent.id);
    }
    case 'agent.scheduler':
      return findAgent(parent, nodeId);
    default:
      throw new Error(`${parent.type} node ${parent.id} has no sub-nodes`);
  }
}

function findFragment({ fragments = {} }: Plan, { routes }: AgentNode, nodeId: string): PlanNode | undefined {
  const tool = FRAGMENT_CALL.exec(toLocalId(nodeId))?.[1];
  const route = tool === undefined ? undefined : routes[tool];
  const graph = route?.to === 'fragment' ? fragments[route.key] : undefined;
  return graph && { id: nodeId, type: 'fragment', after: [], graph };
}

function findAgent({ agents, coordinator }: SchedulerNode, nodeId: string): PlanNode | undefined {
  const place = scheduledPlace(nodeId);
  const agent = place?.worker ? agents[place.worker.agent]?.agent : coordinator;
  return place && agent && { ...agent, id: nodeId, after: [] };
}

/** Returns the slugs of the agents that the nodes of a plan run, each once. Agents within fragments of agents are not among them. */
export function listAgents({ nodes }: Plan): string[] {
  return [...new Set(nodes.flatMap((node) => listOfNode(node)))].sort();
}

function listOfNode(node: PlanNode | Subnode): string[] {
  switch (node.type) {
    case 'agent.run':
      return [node.agent.slug];
    case 'agent.scheduler':
      return [node.coordinator, ...node.agents.map(({ agent }) => agent)].flatMap((agent) => listOfNode(agent));
    case 'map.fanout':
      return listOfNode(node.subnode);
    default:
      return [];
  }
}
