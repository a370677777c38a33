// SPDX-License-Identifier: Apache-2.0
import type { KindMapping } from "../mapping/mapping.ts";

/** An RBAC rule: the allowed verbs on resources. */
export interface PolicyRule {
  /** API groups; the core group is empty. */
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** The permissions that an operator needs. */
export interface OperatorRules {
  /** For the custom resources: in one namespace, or in the whole cluster. */
  readonly objects: readonly PolicyRule[];
  /** In the namespace of the operator. */
  readonly own: readonly PolicyRule[];
}

/**
 * Returns the minimum of permissions for an operator of these kinds. Each verb is that of a call that the operator makes:
 *
 * | Resource | Verbs | For |
 * |---|---|---|
 * | the kinds | list, watch | the cache |
 * | | get | references, and an interrupted creation |
 * | | patch | finalizer, annotations, values that the provider has chosen |
 * | their status | patch | conditions and the observed state |
 * | Secrets | list, watch, get, create, update, delete | states; connection details and secret parameters need three of them |
 * | Events | create, patch | events and their counts |
 * | Leases | list, get, create, update, delete | shards |
 *
 * There are none for definitions, because these are installed with the operator.
 */
export function operatorRules(kinds: readonly KindMapping[]): OperatorRules {
  const groups = [...new Set(kinds.map(({ group }) => group))];
  return {
    objects: [
      ...groups.flatMap((group) => {
        const plurals = kinds.filter((kind) => kind.group === group).map(({ names }) => names.plural);
        return [
          { apiGroups: [group], resources: plurals, verbs: ["get", "list", "watch", "patch"] },
          { apiGroups: [group], resources: plurals.map((plural) => `${plural}/status`), verbs: ["patch"] },
        ];
      }),
      { apiGroups: [""], resources: ["secrets"], verbs: ["get", "list", "watch", "create", "update", "delete"] },
      { apiGroups: ["events.k8s.io"], resources: ["events"], verbs: ["create", "patch"] },
    ],
    own: [{ apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["get", "list", "create", "update", "delete"] }],
  };
}
