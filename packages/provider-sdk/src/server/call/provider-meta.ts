// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { decode } from "../../conversion/decode.ts";
import { problemText } from "../../conversion/problem.ts";
import type { ProviderMeta } from "../../definition/module-meta.ts";
import { hasContent } from "../../shape/part.ts";
import { requireConforming, type ServedInstance } from "../instance/served-instance.ts";
import type { ServerCall } from "./server-call.ts";

/** The handler's access to the `provider_meta` block of a module. The block is decoded when the handler reads it. */
export function providerMetaOf({ provider: { meta, name } }: ServedInstance, value: Value | undefined, call: ServerCall): ProviderMeta {
  const content = meta !== undefined && value !== undefined && hasContent(value) ? value : undefined;
  if (meta !== undefined && content !== undefined) {
    requireConforming(meta.shape, content, "provider_meta");
    call.secrets.add(meta.shape, content);
  }
  return {
    "~meta": () => {
      if (meta === undefined) throw new TypeError(`provider ${name} has no provider_meta: give defineProvider its meta`);
      if (content === undefined) return null;
      const { value: seen, problems } = decode(meta.shape, content, "configDraft");
      if (problems.length > 0) throw new TypeError(`provider_meta: ${problems.map(problemText).join("; ")}`);
      return seen;
    },
  };
}
