// SPDX-License-Identifier: Apache-2.0
import { SdkError } from "../error.ts";
import { compileComponent, type ConfiguredComponent, type WrittenComponent } from "./component.ts";
import type { CompiledIdentity } from "./identity.ts";
import type { CompiledProvider, Handler } from "./provider.ts";
import type { CompiledResource } from "./resource.ts";

/** A list resource, checked. */
export interface CompiledListResource extends ConfiguredComponent {
  readonly kind: "listResource";
  /** The resource type that it lists. */
  readonly resource: CompiledResource & { readonly identity: CompiledIdentity };
  readonly list: Handler;
}

interface WrittenListResource extends WrittenComponent {
  readonly resource: CompiledResource;
}

const kind = { role: "listResource", needed: ["list"], possible: [], options: ["resource"] } as const;

/** Compiles a list resource. @throws SdkError `INVALID_DEFINITION`, `INVALID_SCHEMA`. */
export function compileListResource(provider: CompiledProvider, name: string, written: WrittenListResource): CompiledListResource {
  const { resource } = written;
  if (resource.identity === undefined) {
    throw new SdkError(
      "INVALID_DEFINITION",
      `provider ${provider.name}, list resource ${name}: a listed resource must have an identity, and resource ${name} has none`,
    );
  }
  return {
    kind: "listResource",
    ...compileComponent(kind, provider, name, written),
    resource: resource as CompiledListResource["resource"],
  };
}
