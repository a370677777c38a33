// SPDX-License-Identifier: Apache-2.0
import { formatResource } from "../address/resource.ts";
import type { PlannedChanges } from "../change/planned-changes.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { withImportedResources } from "../configuration/imported-resources.ts";
import { contentsOfResource } from "../plan/generated-configuration.ts";

/** The configuration with the `resource` blocks that the plan generated. */
export function withGeneratedResources(configuration: Configuration, { resources }: PlannedChanges): Configuration {
  const contents = new Map<string, string>();
  for (const { address, generatedConfig } of resources) {
    if (generatedConfig !== undefined) contents.set(formatResource(address.instance.resource), contentsOfResource(generatedConfig));
  }
  const { imports } = configuration.module;
  const generated = imports.filter(({ resource }) => resource !== undefined && contents.has(formatResource(resource.resource)));
  return withImportedResources(configuration, generated, contents);
}
