import type { Plan, PlanNode, Subnode } from './plan.js';

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
