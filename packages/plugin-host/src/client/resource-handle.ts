// SPDX-License-Identifier: Apache-2.0
import { inspect, type InspectOptions } from "node:util";
import type { Value } from "@tenon/cty";
import type { Diagnostic } from "@tenon/schema";
import { encodeObject, type EncodedObject, type ResourceObject, type ResourceType } from "@tenon/schema/lifecycle";
import type { Fields, ResourceTypes } from "./provider-types.ts";
import { plainData, stateData } from "./state-data.ts";

/** A resource as plain JSON, to be kept between two runs. Sensitive values are in it in the clear. */
export interface SerializedResource extends EncodedObject {
  readonly typeName: string;
}

/**
 * A remote object as it was when an operation ended. Later operations give other handles; this one does not change.
 *
 * With `JSON.stringify` it becomes a {@link SerializedResource}, private data and identity included, and `fromJson` of the resource's
 * client makes a handle of that again. Printed with `console.log`, sensitive values and private data are hidden.
 */
export interface ResourceHandle<State = Fields, Identity = Fields | undefined, TypeName extends string = string> {
  readonly typeName: TypeName;
  readonly state: State;
  /** `undefined` where the object has none. */
  readonly identity: Identity | undefined;
  /** `tainted`: it was left half made, and the next plan replaces it. */
  readonly status: "ready" | "tainted";
  /** The state as a value of cty. */
  readonly value: Value;
  /** What `@tenon/schema/lifecycle` takes. */
  readonly object: ResourceObject;
  /** What the provider warned of in the operation that gave this handle. Not kept in JSON. */
  readonly warnings: readonly Diagnostic[];
  toJSON(): SerializedResource;
}

/** A handle of a resource of the given types. */
export type HandleOf<Types extends ResourceTypes> = ResourceHandle<Types["state"], Types["identity"], Types["typeName"]>;

/** A handle of an object. */
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
