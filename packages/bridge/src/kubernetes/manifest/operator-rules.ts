// SPDX-License-Identifier: Apache-2.0
import type { KindMapping } from "../mapping/mapping.ts";
import { configResources } from "../provider-config/provider-config.ts";

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

/** Options of {@link operatorRules}. */
export interface OperatorRuleOptions {
  /** Whether the provider takes its configuration from `ProviderConfig` objects. Default: false. */
  readonly hasConfigs?: boolean;
  /** Namespace whose objects are managed. Default: all. */
  readonly watchNamespace?: string | undefined;
}

/**
 * Returns the minimum of permissions for an operator of these kinds. Each verb is that of a call that the operator makes:
 *
 * | Resource | Verbs | For |
 * |---|---|---|
 * | the kinds | list, watch | the cache |
 * | | get | references, an interrupted creation, and users of a configuration that is being deleted |
 * | | patch | finalizer, annotations, references, values that the provider has chosen; not for kinds that only read, without references |
 * | their status | patch | conditions and the observed state |
 * | configurations | list, watch | the cache |
 * | | patch | finalizer |
 * | their status | patch | conditions, number of users |
 * | their usages | list, watch, create, patch, delete | objects that use a configuration |
 * | Secrets | list, watch, get, create, update, delete | states; connection details and secret parameters need three of them |
 * | Events | create, patch | events and their counts |
 * | Leases | list, get, create, update, delete | shards |
 *
 * There are none for definitions: the program that installs the operator also installs them, and migrates stored objects.
 */
export function operatorRules(kinds: readonly KindMapping[], options: OperatorRuleOptions = {}): OperatorRules {
  const groups = [...new Set(kinds.map(({ group }) => group))];
  return {
    objects: [
      ...groups.flatMap((group) =>
        groupRules(
          kinds.filter((kind) => kind.group === group),
          options,
        ),
      ),
      { apiGroups: [""], resources: ["secrets"], verbs: ["get", "list", "watch", "create", "update", "delete"] },
      { apiGroups: ["events.k8s.io"], resources: ["events"], verbs: ["create", "patch"] },
    ],
    own: [{ apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["get", "list", "create", "update", "delete"] }],
  };
}

/** Rules for the kinds of one group. */
function groupRules(kinds: readonly KindMapping[], options: OperatorRuleOptions): readonly PolicyRule[] {
  const { group } = kinds[0]!;
  const rule = (resources: readonly string[], verbs: readonly string[]): readonly PolicyRule[] =>
    resources.length === 0 ? [] : [{ apiGroups: [group], resources, verbs }];
  const pluralsOf = (some: readonly KindMapping[]): readonly string[] => some.map(({ names }) => names.plural);
  return [
    ...rule(pluralsOf(kinds.filter(isPatched)), ["get", "list", "watch", "patch"]),
    ...rule(pluralsOf(kinds.filter((kind) => !isPatched(kind))), ["get", "list", "watch"]),
    ...rule(
      pluralsOf(kinds).map((plural) => `${plural}/status`),
      ["patch"],
    ),
    ...(options.hasConfigs ? configRules(kinds[0]!, options, rule) : []),
  ];
}

/** Rules for the configurations of the provider. Those of the cluster are not used by an operator of one namespace. */
function configRules(
  { group, scope }: KindMapping,
  { watchNamespace }: OperatorRuleOptions,
  rule: (resources: readonly string[], verbs: readonly string[]) => readonly PolicyRule[],
): readonly PolicyRule[] {
  const { configs, usages } = configResources({ group, scope }, "");
  const plurals = configs.filter(({ namespaced }) => watchNamespace === undefined || namespaced).map(({ plural }) => plural);
  return [
    ...rule(plurals, ["list", "watch", "patch"]),
    ...rule(
      plurals.map((plural) => `${plural}/status`),
      ["patch"],
    ),
    ...rule([usages.plural], ["list", "watch", "create", "patch", "delete"]),
  ];
}

/** Whether an operator changes objects of a kind, beside their status: those that only read have no finalizer, except ephemeral resources. */
function isPatched({ component, rules }: KindMapping): boolean {
  return component === undefined || component === "ephemeral" || Object.keys(rules.references ?? {}).length > 0;
}
