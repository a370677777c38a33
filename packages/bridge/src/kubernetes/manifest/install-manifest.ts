// SPDX-License-Identifier: Apache-2.0
import { BridgeError } from "../../error.ts";
import { customResourceDefinition, type DefinitionOptions } from "../crd/definition.ts";
import { providerConfigDefinitions } from "../crd/provider-config-definition.ts";
import type { KubernetesObject } from "../machinery/client/kubernetes-object.ts";
import type { ProviderConfigMapping } from "../mapping/map-provider-config.ts";
import type { KindMapping } from "../mapping/mapping.ts";
import { operatorDeployment, type DeploymentOptions } from "./deployment.ts";
import { operatorRules, type PolicyRule } from "./operator-rules.ts";

/** Options of {@link installManifest}. */
export interface InstallOptions extends Omit<DeploymentOptions, "namespace">, DefinitionOptions {
  /** Name of the operator, and of its objects: a DNS label such as `notes-operator`. */
  readonly name: string;
  /** Namespace of the operator, which is created. Default: the name. */
  readonly namespace?: string | undefined;
  /** Mapping of the provider's configuration, if the provider takes it from `ProviderConfig` objects. */
  readonly config?: ProviderConfigMapping | undefined;
}

/**
 * Returns all objects that an operator needs, in the order in which they can be applied: definitions, namespace, ServiceAccount, roles with the
 * minimum of permissions, Deployment.
 *
 * With `watchNamespace`, the operator has permissions only in that namespace and its own. The objects do not include that namespace, so that it
 * stays when the operator is deleted.
 *
 * @throws BridgeError `INVALID_ARGUMENTS` for a name that Kubernetes rejects, or cluster-scoped kinds with `watchNamespace`.
 */
export function installManifest(kinds: readonly KindMapping[], options: InstallOptions): readonly KubernetesObject[] {
  const { name, namespace = options.name, watchNamespace, config, version } = options;
  for (const each of [name, namespace, watchNamespace ?? name])
    if (!isLabel(each)) throw invalid(`${JSON.stringify(each)} is not a DNS label: use lower-case letters, digits and hyphens`);
  const [cluster] = kinds.filter(({ scope }) => scope === "Cluster");
  if (watchNamespace !== undefined && cluster) {
    throw invalid(`${cluster.names.kind} has the scope Cluster, so it cannot be managed in the namespace ${watchNamespace} only`);
  }
  const { objects, own } = operatorRules(kinds, { hasConfigs: config !== undefined, watchNamespace });
  const labels = { "app.kubernetes.io/name": name };
  const account = { kind: "ServiceAccount", name, namespace };
  const rights = (where: string | undefined, suffix: string, rules: readonly PolicyRule[]): readonly KubernetesObject[] => {
    const scope = where === undefined ? "ClusterRole" : "Role";
    const metadata = { name: `${name}${suffix}`, ...(where === undefined ? {} : { namespace: where }), labels };
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: scope, name: metadata.name };
    return [
      object("rbac.authorization.k8s.io/v1", scope, metadata, { rules }),
      object("rbac.authorization.k8s.io/v1", `${scope}Binding`, metadata, { roleRef, subjects: [account] }),
    ];
  };
  return [
    ...(config ? providerConfigDefinitions(config, version === undefined ? {} : { version }) : []),
    ...kinds.map((kind) => customResourceDefinition(kind, options)),
    object("v1", "Namespace", { name: namespace, labels }, {}),
    object("v1", "ServiceAccount", { name, namespace, labels }, {}),
    ...rights(watchNamespace, "", objects),
    ...rights(namespace, "-leases", own),
    operatorDeployment({ ...options, namespace }),
  ];
}

function object(apiVersion: string, kind: string, metadata: KubernetesObject["metadata"], content: object): KubernetesObject {
  return { apiVersion, kind, metadata, ...content };
}

/** Whether a text is a valid name of a namespace and of all other objects. */
function isLabel(text: string): boolean {
  return text.length <= 53 && /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/.test(text);
}

function invalid(problem: string): BridgeError {
  return new BridgeError("INVALID_ARGUMENTS", problem);
}
