// SPDX-License-Identifier: Apache-2.0

/**
 * The strongly connected components of a graph: groups of nodes that depend on each other, and single nodes. Each component comes after the
 * components that it depends on. Tarjan's algorithm, without recursion, so that long chains do not overflow the stack.
 */
export function stronglyConnectedComponents<Node>(
  nodes: Iterable<Node>,
  dependenciesOf: (node: Node) => Iterable<Node>,
): readonly (readonly Node[])[] {
  const indices = new Map<Node, number>();
  const lowest = new Map<Node, number>();
  const stack: Node[] = [];
  const onStack = new Set<Node>();
  const components: Node[][] = [];
  for (const start of nodes) {
    if (indices.has(start)) continue;
    const frames: { readonly node: Node; readonly next: Iterator<Node> }[] = [];
    const enter = (node: Node): void => {
      lowest.set(node, indices.size);
      indices.set(node, indices.size);
      stack.push(node);
      onStack.add(node);
      frames.push({ node, next: dependenciesOf(node)[Symbol.iterator]() });
    };
    enter(start);
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const { node, next } = frame;
      const step = next.next();
      if (step.done !== true) {
        if (!indices.has(step.value)) enter(step.value);
        else if (onStack.has(step.value)) lowest.set(node, Math.min(lowest.get(node)!, indices.get(step.value)!));
        continue;
      }
      frames.pop();
      const above = frames.at(-1);
      if (above !== undefined) lowest.set(above.node, Math.min(lowest.get(above.node)!, lowest.get(node)!));
      if (lowest.get(node) !== indices.get(node)) continue;
      const component = stack.splice(stack.indexOf(node));
      for (const member of component) onStack.delete(member);
      components.push(component);
    }
  }
  return components;
}
