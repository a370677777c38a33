// SPDX-License-Identifier: Apache-2.0
import type { Schema } from "@tenon/schema";
import { rootShape, type WrittenSchema } from "./block-shape.ts";
import { Faults } from "./fault.ts";
import { componentNameFault } from "./names.ts";
import { protocolSchema } from "./protocol-schema.ts";
import type { CompiledProvider, Handler } from "./provider.ts";
import type { ObjectShape } from "./shape.ts";
import { rootOf } from "./surroundings.ts";

/** A data source, checked. */
export interface CompiledDataSource {
  readonly kind: "dataSource";
  readonly name: string;
  readonly typeName: string;
  readonly shape: ObjectShape;
  readonly protocol: Schema;
  readonly deprecated?: string;
  readonly validate?: Handler<void>;
  readonly read: Handler;
}

interface WrittenDataSource {
  readonly description?: string;
  readonly deprecated?: string;
  readonly schema: WrittenSchema;
  readonly validate?: Handler<void>;
  readonly read: Handler;
}

/** @throws SdkError `INVALID_DEFINITION`, `INVALID_SCHEMA`. */
export function compileDataSource(provider: CompiledProvider, name: string, written: WrittenDataSource): CompiledDataSource {
  const where = `provider ${provider.name}, data source ${name}`;
  const faults = new Faults(where);
  const shape = rootShape(written, rootOf("dataSource", provider.protocols), faults);
  faults.throwIfAny("INVALID_SCHEMA");
  const definition = new Faults(where);
  const wrongName = componentNameFault(name);
  if (wrongName !== undefined) definition.add([], wrongName);
  if (typeof written.read !== "function") definition.add([], "a data source has a function read");
  if (written.validate !== undefined && typeof written.validate !== "function") definition.add([], "validate is a function");
  definition.throwIfAny("INVALID_DEFINITION");
  return {
    kind: "dataSource",
    name,
    typeName: `${provider.name}_${name}`,
    shape,
    protocol: protocolSchema(shape, written),
    ...(written.deprecated === undefined ? {} : { deprecated: written.deprecated }),
    ...(written.validate === undefined ? {} : { validate: written.validate }),
    read: written.read,
  };
}
