// SPDX-License-Identifier: Apache-2.0
import { SdkError } from "../error.ts";
import { compileConfigured, type ConfiguredComponent, type WrittenComponent } from "./configured-component.ts";
import type { CompiledIdentity } from "./identity.ts";
import type { CompiledProvider, Handler } from "./provider.ts";
import type { CompiledResource } from "./resource.ts";

/** A list resource, checked. */
export interface CompiledListResource extends ConfiguredComponent {
  readonly kind: "listResource";
  /** What it finds. */
  readonly resource: CompiledResource & { readonly identity: CompiledIdentity };
  readonly list: Handler;
}

interface WrittenListResource extends WrittenComponent {
  readonly resource: CompiledResource;
}

const kind = { word: "list resource", role: "listResource", needed: ["list"], possible: [] } as const;

/** @throws SdkError `INVALID_DEFINITION`, `INVALID_SCHEMA`. */
export function compileListResource(provider: CompiledProvider, name: string, written: WrittenListResource): CompiledListResource {
  const { resource } = written;
  if (resource.identity === undefined) {
    throw new SdkError(
      "INVALID_DEFINITION",
      `provider ${provider.name}, list resource ${name}: what is listed is told apart by its identity, and resource ${name} has none`,
    );
  }
  return {
    kind: "listResource",
    ...compileConfigured(kind, provider, name, written),
    resource: resource as CompiledListResource["resource"],
  };
}
