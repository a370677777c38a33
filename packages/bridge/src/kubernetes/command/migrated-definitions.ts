// SPDX-License-Identifier: Apache-2.0
import { stringify } from "yaml";
import { ApiClient } from "../machinery/client/api-client.ts";
import { findClusterAccess } from "../machinery/client/find-cluster-access.ts";
import { ruleName } from "../mapping/component-name.ts";
import { kindVersion } from "../mapping/kind-version.ts";
import { migrateDefinitions, type KindMigration } from "../operator/migrate-definitions.ts";
import type { OperatorDefinition } from "../operator/operator-definition.ts";
import type { MigrationArguments } from "./operator-options.ts";

/** Migrates the definitions of an operator in the cluster of the environment, and returns a report of it. @throws As {@link migrateDefinitions}. */
export async function migratedDefinitions(
  definition: OperatorDefinition,
  { namespace }: MigrationArguments,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  await using client = await ApiClient.open(await findClusterAccess({ environment }), { userAgent: `tenon/${definition.name}` });
  return reportOf(await migrateDefinitions(definition, { client, namespace }), definition.version);
}

/** The result of each kind, and the rules about versions that the operator needs from now on. */
function reportOf(migrations: readonly KindMigration[], version: string | undefined): string {
  const lines = migrations.map(({ kind, version: now, action, converted }) => {
    const objects = action === "migrated" ? `, ${converted} ${converted === 1 ? "object" : "objects"} converted` : "";
    return `${ruleName(kind)}: ${kind.names.kind} ${now} ${action}${objects}`;
  });
  const changed = migrations.filter(({ kind, version: now }) => kindVersion(kind, version) !== now);
  const rules = Object.fromEntries(changed.map(({ kind, version: now }) => [ruleName(kind), { version: now }]));
  const advice = changed.length === 0 ? [] : ["", "Add these versions to the rules of the operator:", "", stringify(rules).trimEnd()];
  return `${[...lines, ...advice].join("\n")}\n`;
}
