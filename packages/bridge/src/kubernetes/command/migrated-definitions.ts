// SPDX-License-Identifier: Apache-2.0
import { stringify } from "yaml";
import { ApiClient } from "../machinery/client/api-client.ts";
import { findClusterAccess } from "../machinery/client/find-cluster-access.ts";
import { ruleName } from "../mapping/component-name.ts";
import { kindVersion } from "../mapping/kind-version.ts";
import { configRuleName } from "../mapping/map-provider-config.ts";
import { migrateDefinitions, type OperatorMigration } from "../operator/migrate-definitions.ts";
import type { MigrationResult } from "../versions/migration-run.ts";
import type { OperatorDefinition } from "../operator/operator-definition.ts";
import type { MigrationArguments } from "./operator-options.ts";

/** Migrates the definitions of an operator in the cluster of the environment, and returns a report of it. @throws As {@link migrateDefinitions}. */
export async function migratedDefinitions(
  definition: OperatorDefinition,
  { namespace }: MigrationArguments,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  await using client = await ApiClient.open(await findClusterAccess({ environment }), { userAgent: `tenon/${definition.name}` });
  return reportOf(await migrateDefinitions(definition, { client, namespace }), definition);
}

/** The result of each kind, and the rules about versions that the operator needs from now on. */
function reportOf({ kinds, configs }: OperatorMigration, { version, rules = {} }: OperatorDefinition): string {
  const lines = [
    ...configs.map((result) => `${result.kind} ${resultText(result)}`),
    ...kinds.map(({ kind, ...result }) => `${ruleName(kind)}: ${kind.names.kind} ${resultText(result)}`),
  ];
  const configVersion = kindVersion({ rules: rules[configRuleName] ?? {} }, version);
  const changed = [
    ...configs
      .slice(0, 1)
      .filter((result) => result.version !== configVersion)
      .map((result) => [configRuleName, result.version]),
    ...kinds
      .filter((result) => result.version !== kindVersion(result.kind, version))
      .map((result) => [ruleName(result.kind), result.version]),
  ] as const;
  const advised = Object.fromEntries(changed.map(([name, now]) => [name, { version: now }]));
  const advice = changed.length === 0 ? [] : ["", "Add these versions to the rules of the operator:", "", stringify(advised).trimEnd()];
  return `${[...lines, ...advice].join("\n")}\n`;
}

function resultText({ version, action, converted }: MigrationResult): string {
  const objects = action === "migrated" ? `, ${converted} ${converted === 1 ? "object" : "objects"} converted` : "";
  return `${version} ${action}${objects}`;
}
