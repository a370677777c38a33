// SPDX-License-Identifier: Apache-2.0
import { compileComponent, type ConfiguredComponent, type WrittenComponent } from "./component.ts";
import type { CompiledProvider, Handler } from "./provider.ts";

/** An ephemeral resource, checked. */
export interface CompiledEphemeralResource extends ConfiguredComponent {
  readonly kind: "ephemeralResource";
  readonly open: Handler;
  readonly renew?: Handler;
  readonly close?: Handler;
}

const kind = { role: "ephemeralResource", needed: ["open"], possible: ["renew", "close"] } as const;

/** Compiles an ephemeral resource. @throws SdkError `INVALID_DEFINITION`, `INVALID_SCHEMA`. */
export function compileEphemeralResource(provider: CompiledProvider, name: string, written: WrittenComponent): CompiledEphemeralResource {
  return { kind: "ephemeralResource", ...compileComponent(kind, provider, name, written) };
}
