// SPDX-License-Identifier: Apache-2.0
import { compileComponent, type ConfiguredComponent, type WrittenComponent } from "./component.ts";
import type { CompiledProvider, Handler } from "./provider.ts";

/** A data source, checked. */
export interface CompiledDataSource extends ConfiguredComponent {
  readonly kind: "dataSource";
  readonly read: Handler;
}

const kind = { role: "dataSource", needed: ["read"], possible: [] } as const;

/** Compiles a data source. @throws SdkError `INVALID_DEFINITION`, `INVALID_SCHEMA`. */
export function compileDataSource(provider: CompiledProvider, name: string, written: WrittenComponent): CompiledDataSource {
  return { kind: "dataSource", ...compileComponent(kind, provider, name, written) };
}
