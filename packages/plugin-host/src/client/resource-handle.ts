// SPDX-License-Identifier: Apache-2.0
import { inspect, type InspectOptions } from "node:util";
import type { Value } from "@tenon/cty";
import type { Diagnostic } from "@tenon/schema";
import { encodeObject, type ResourceObject, type ResourceType } from "@tenon/schema/lifecycle";
import type { ResourceHandle, SerializedResource } from "../resource-handle.ts";
import type { ResourceTypes } from "./provider-types.ts";
import { plainData, stateData } from "./state-data.ts";

/** The handle of a resource with the given types. */
export type HandleOf<Types extends ResourceTypes> = ResourceHandle<Types["state"], Types["identity"], Types["typeName"]>;

/** Creates the handle of an object. */
export function createHandle<State, Identity, TypeName extends string>(
  type: ResourceType,
  object: ResourceObject,
  warnings: readonly Diagnostic[],
): ResourceHandle<State, Identity, TypeName> {
  return new ObjectHandle<State, Identity, TypeName>(type, object, warnings);
}

class ObjectHandle<State, Identity, TypeName extends string> implements ResourceHandle<State, Identity, TypeName> {
  readonly object: ResourceObject;
  readonly warnings: readonly Diagnostic[];
  readonly #type: ResourceType;
  #state: { readonly data: State } | undefined;

  constructor(type: ResourceType, object: ResourceObject, warnings: readonly Diagnostic[]) {
    this.#type = type;
    this.object = object;
    this.warnings = warnings;
  }

  get typeName(): TypeName {
    return this.#type.typeName as TypeName;
  }

  get state(): State {
    this.#state ??= { data: stateData(this.object.value, this.#type.schema.block) as State };
    return this.#state.data;
  }

  get identity(): Identity | undefined {
    const { identity } = this.object;
    return identity === undefined ? undefined : (plainData(identity) as Identity);
  }

  get status(): "ready" | "tainted" {
    return this.object.status;
  }

  get value(): Value {
    return this.object.value;
  }

  toJSON(): SerializedResource {
    return { typeName: this.typeName, ...encodeObject(this.#type, this.object) };
  }

  [inspect.custom](depth: number, options: InspectOptions): string {
    const { typeName, status, state, identity, warnings } = this;
    const shown = {
      ...(status === "tainted" ? { status } : {}),
      state,
      ...(identity ? { identity } : {}),
      ...(warnings.length > 0 ? { warnings } : {}),
    };
    return `${typeName} ${inspect(shown, { ...options, depth: options.depth === null ? null : depth })}`;
  }
}
