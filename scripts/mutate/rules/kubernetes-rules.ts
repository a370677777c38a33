// SPDX-License-Identifier: Apache-2.0
// Mutations of the rules by which `@tenon/bridge/kubernetes` reconciles custom resources.
import { mutationsOf, type Mutation } from "../mutation.ts";

const source = "packages/bridge/src/kubernetes";
const reconcile = "tests/interop/kubernetes-reconcile.test.ts";
const deletion = "tests/interop/kubernetes-deletion.test.ts";
const plan = "tests/interop/kubernetes-plan.test.ts";
const leases = "tests/interop/kubernetes-leases.test.ts";
const configs = "tests/interop/kubernetes-provider-configs.test.ts";
const migration = "tests/interop/kubernetes-migration.test.ts";
const migrationCommand = "tests/interop/kubernetes-migration-command.test.ts";

export const kubernetesRules: readonly Mutation[] = [
  ...mutationsOf(`${source}/reconcile/resource-reconciler.ts`, reconcile, [
    ["pause", ' || annotationOf(object, "paused") === "true") {', ") {", "with a resource that an annotation or its policies pause"],
    ["unsupported policies", 'if (permissions === "invalid") {', "if (false) {", "with an unsupported combination of policies"],
    ["orphaning", "if (isDeleted && !permissions.delete) return", "if (false) return", "and adopts, updates and orphans"],
    ["update policy", "if (!permissions.update) {", "if (false) {", "and does not update without the policy Update"],
    [
      "late initialisation",
      'if (permissions.lateInitialize && object.status === "ready") {',
      "if (false) {",
      "copies values that the provider has chosen",
    ],
    [
      "replacement is refused",
      'isTainted ? "DeleteFirst" : replacementPolicyOf(writer.object)',
      '"DeleteFirst" as string',
      "rejects the change with its reason",
    ],
    [
      "CreateFirst",
      'policy === "DeleteFirst" ? await deleteForReplacement(change, planned) : []',
      "await deleteForReplacement(change, planned)",
      "creates the new resource first",
    ],
    [
      "incomplete creation",
      'const isTainted = planned.reason === "tainted";',
      "const isTainted = false;",
      "stores a partially created resource",
    ],
  ]),
  ...mutationsOf(`${source}/reconcile/observe-resource.ts`, reconcile, [
    ["external name", "if (externalName !== undefined && ", "if (false && ", "and only observes a resource by its external name"],
    [
      "create-pending guard",
      "if (targets.length === 0) {\n    if (isUnknown) throw unknownCreation(owner);",
      "if (targets.length === 0) {",
      "does not repeat the creation",
    ],
    [
      "not-found errors",
      'if (status === "failed" && !areNotFound(kind, diagnostics))',
      'if (status === "failed")',
      "creates a resource whose import fails",
    ],
  ]),
  ...mutationsOf(`${source}/reconcile/observe-resource.ts`, `${source}/reconcile/observe-resource.test.ts`, [
    [
      "failed creation",
      "if (isUnknown && isFailedCreation(",
      "if (false && isFailedCreation(",
      "only a creation whose request was not sent",
    ],
    ["a stored deletion", "if (state?.deletedAt !== undefined) return", "if (false) return", "a resource whose deletion is stored"],
    [
      "the external name of an earlier resource",
      " && externalName !== state?.earlierName)",
      ")",
      "the external name of an earlier resource",
    ],
    ["a state without an object", "&& state === undefined;", ";", "if the provider cannot import"],
  ]),
  ...mutationsOf(`${source}/reconcile/change-resource.ts`, reconcile, [
    [
      "unsent creation",
      "if (error instanceof ProviderError && !error.requestSent) await",
      "if (false) await",
      "repeats the creation if the request was not sent",
    ],
    [
      "outcome of a creation",
      "if (!isStale || attempt === 5 ||",
      "if (true ||",
      "keeps the outcome although a replica with a stale object",
    ],
  ]),
  ...mutationsOf(`${source}/reconcile/change-resource.ts`, reconcile, [
    [
      "the earlier name is stored",
      "pending, ...earlierName(kind, writer.object) });",
      "pending });",
      "does not repeat the creation of a resource that replaces another one",
    ],
  ]),
  ...mutationsOf(`${source}/reconcile/resource-reconciler.ts`, deletion, [
    [
      "a state outlives its object",
      "await context.writer.removeFinalizerAlways();\n      await context.state.delete();",
      "await context.state.delete();\n      await context.writer.removeFinalizerAlways();",
      "ends although the replica was killed",
    ],
  ]),
  ...mutationsOf(`${source}/state/state-store.ts`, deletion, [
    ["no new state for a deletion", "const isOptional = before === undefined &&", "const isOptional = false &&", "ends in a namespace"],
  ]),
  ...mutationsOf(`${source}/reconcile/observe-step.ts`, reconcile, [
    ["rebuilt state is reported", 'if (by === "import") this', "if (false) this", "and rebuilds a lost one by import"],
  ]),
  ...mutationsOf(`${source}/reconcile/references.ts`, reconcile, [
    ["references", "throw new StepFailure(failureReason, `${where} has no external name yet`);", 'return "";', "resolves references"],
  ]),
  ...mutationsOf(`${source}/reconcile/connection-secret.ts`, reconcile, [
    ["connection Secret", "if (reference === undefined) return false;", "return false;", "reads sensitive values from Secrets"],
  ]),
  ...mutationsOf(`${source}/state/state-store.ts`, reconcile, [
    [
      "conditional state",
      "metadata: { ...wanted.metadata, uid: uid!, resourceVersion: resourceVersion! },",
      "",
      "conditionally: the second of two replicas",
    ],
    [
      "conditional deletion",
      "{ preconditions: { uid: uid!, resourceVersion: resourceVersion! } }",
      "{}",
      "conditionally: the second of two replicas",
    ],
  ]),
  ...mutationsOf(`${source}/reconcile/resource-reconciler.ts`, plan, [
    [
      "plan only",
      "if (permissions.planOnly) {\n      const shown",
      "if (false) {\n      const shown",
      "and makes no change where the policy is Plan",
    ],
  ]),
  ...mutationsOf(`${source}/reconcile/observe-step.ts`, plan, [
    ["drift", "if (lastKnown && !isDeleted) await", "if (false) await", "while a change is being made, after the drift"],
  ]),
  ...mutationsOf(`${source}/values/field-changes.ts`, plan, [
    [
      "masked plan",
      'case "sensitive":\n        return this.#add(path, { sensitive: true }, forces);',
      'case "sensitive":\n        return;',
      "and makes no change where the policy is Plan",
    ],
  ]),
  ...mutationsOf(`${source}/reconcile/change-step.ts`, plan, [
    [
      "asynchronous operations",
      "if (kind.rules.asynchronous && operations) {",
      "if (false as boolean && operations) {",
      "which blocks no worker",
    ],
  ]),
  ...mutationsOf(`${source}/machinery/lease/held-lease.ts`, leases, [
    [
      "a Lease ends in time",
      'setTimeout(() => this.#lose("the lease could not be renewed in time"), remainingMs)',
      "setTimeout(() => {}, remainingMs)",
      "abort the work of a holder that cannot renew",
    ],
    ["a stolen Lease", 'this.#lose("another replica took the lease");', "", "abort the work of a holder whose lease was taken"],
  ]),
  ...mutationsOf(`${source}/machinery/lease/shard-leases.ts`, leases, [
    ["a shard is drained", "await this.#settings.drain?.(shard);", "", "are released only after their work has ended"],
  ]),
  ...mutationsOf(`${source}/machinery/queue/work-queue.ts`, `${source}/machinery/queue/work-queue.test.ts`, [
    ["one worker for a key", "if (this.#active.has(key)) {", "if (false) {", "never hands a key to two workers"],
  ]),
  ...mutationsOf(`${source}/provider-config/provider-config-controller.ts`, configs, [
    ["a configuration in use", "if (users > 0) {", "if (false) {", "are not deleted while an object uses them"],
    [
      "version of a user",
      "const resource: ApiResource = known ?? {",
      "const resource: ApiResource = {",
      "are not deleted while a usage names",
    ],
  ]),
  ...mutationsOf(`${source}/versions/migration-run.ts`, migration, [
    [
      "conversion is tried",
      "this.#checkConversion(await this.#objects(from), to, schema);\n    await this",
      "await this",
      "rejects objects that cannot be converted",
    ],
    ["interrupted migration", "if (before === undefined) return 0;", "if (before !== null) return 0;", "is completed by the next one"],
    ["objects are converted", "if (remaining.length === 0) return converted;", "return converted;", "converts every object"],
  ]),
  ...mutationsOf(`${source}/versions/definition-upgrade.ts`, migration, [
    ["compatible change", "|| changes.length === 0 ? wanted", "? wanted", "keeps the version when the change is compatible"],
    ["definition of another type", "if (owner !== ofLater) {", "if (false) {", "rejects the definition of another resource type"],
  ]),
  ...mutationsOf(`${source}/operator/migrate-definitions.ts`, migrationCommand, [
    ["operator that runs", "if (holders.length > 0) {", "if (false) {", "installs, refuses what cannot be converted"],
    ["trial of all kinds", "  await tryAll(client, mappings, options);\n", "", "installs, refuses what cannot be converted"],
  ]),
  ...mutationsOf(`${source}/operator/owner-versions.ts`, migrationCommand, [
    [
      "versions of owners",
      "served === undefined || served === version ?",
      "served !== null ?",
      "installs, refuses what cannot be converted",
    ],
  ]),
  ...mutationsOf(`${source}/versions/migrate-config-definitions.ts`, migration, [
    [
      "one version of configurations",
      "return version === undefined ? mapping : withVersion(mapping, version);",
      "return mapping;",
      "gives all kinds of configurations the version that one of them needs",
    ],
  ]),
];
