// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown } from "@tenon/cty";
import { errorDiagnostic, type ConfigureProviderRequest, type DiagnosticsResponse } from "@tenon/schema";
import { emptyEntry, objectValue } from "../../conversion/encode.ts";
import { hasContent, partOf } from "../../shape/part.ts";
import { openDeferral } from "../call/deferral.ts";
import { decodeView } from "../call/handler-values.ts";
import { checkingRpc, type Rpc } from "../call/rpc.ts";
import { requireConforming } from "../instance/served-instance.ts";
import { runHandler } from "../call/server-call.ts";
import { handlerContext } from "../call/handler-context.ts";

/**
 * Calls the author's `configure`, which creates the client. While the configuration contains unknown values, `configure` does not run,
 * unless the author chose `unknownConfig: "pass"`: calls that need the client are then deferred, or fail and name the unknown attribute.
 */
export const configureProvider: Rpc<ConfigureProviderRequest, DiagnosticsResponse> = checkingRpc(
  "ConfigureProvider",
  ({ terraformVersion }) => ({ terraform_version: terraformVersion }),
  async (instance, { config: given, terraformVersion, clientCapabilities }, call) => {
    const { provider } = instance;
    const { shape, configure } = provider;
    requireConforming(shape, given, `the configuration of provider ${provider.name}`);
    if (instance.configuration.kind !== "none") {
      call.diagnostics.push(
        errorDiagnostic("Provider configured twice", `Provider ${provider.name} is configured already: use another instance.`),
      );
      return;
    }
    instance.terraformVersion = terraformVersion;
    const config = hasContent(given) ? given : objectValue(shape, shape.entries.map(emptyEntry));
    instance.secrets.add(shape, config);
    if (configure === undefined) {
      instance.configuration = { kind: "configured", client: undefined };
      return;
    }
    if (provider.unknownConfig === "wait" && !isWhollyKnown(config)) {
      const unknown = shape.entries.filter((entry) => !isWhollyKnown(partOf(config, entry))).map((entry) => entry.name);
      instance.configuration = { kind: "waiting", unknown };
      call.log.info("configuration contains unknown values: configure does not run", { unknown });
      return;
    }
    // Calls that arrive while `configure` runs must not start without a client.
    instance.configuration = { kind: "failed" };
    const seen = decodeView(shape, config, provider.unknownConfig === "pass" ? "configDraft" : "config", "configuration", call);
    if (seen === undefined) return;
    const { defer, watch, deferred } = openDeferral(clientCapabilities);
    const context = handlerContext(call, {
      config: seen,
      terraformVersion,
      userAgent: instance.userAgent,
      onCleanup: (hook: () => void | Promise<void>) => void instance.cleanups.unshift(hook),
      defer,
    });
    const outcome = await runHandler(call, `Cannot configure provider ${provider.name}`, () => watch(() => configure(context)));
    const deferral = deferred();
    if (deferral !== undefined) instance.configuration = { kind: "deferred", deferred: deferral };
    else if (outcome.ok) instance.configuration = { kind: "configured", client: outcome.value };
  },
);
