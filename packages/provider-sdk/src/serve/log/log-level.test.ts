// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { debugLogLevel, hostedLogLevel } from "./log-level.ts";

describe("under a host", () => {
  test.for([
    [{}, undefined],
    [{ TF_LOG: "OFF" }, undefined],
    [{ TF_LOG: "INFO" }, "info"],
    [{ TF_LOG: "debug" }, "debug"],
    [{ TF_LOG: "JSON" }, "trace"],
    [{ TF_LOG: "nonsense" }, "trace"],
    // TF_LOG_PROVIDER takes precedence over TF_LOG.
    [{ TF_LOG: "TRACE", TF_LOG_PROVIDER: "WARN" }, "warn"],
    [{ TF_LOG: "ERROR", TF_LOG_PROVIDER: "TRACE" }, "trace"],
    [{ TF_LOG: "TRACE", TF_LOG_PROVIDER: "OFF" }, undefined],
    [{ TF_LOG: "TRACE", TF_LOG_PROVIDER: "" }, "trace"],
    // The provider's own variable can only reduce the output further.
    [{ TF_LOG: "INFO", TF_LOG_PROVIDER_MY_CLOUD: "TRACE" }, "info"],
    [{ TF_LOG: "TRACE", TF_LOG_PROVIDER_MY_CLOUD: "ERROR" }, "error"],
    [{ TF_LOG: "TRACE", TF_LOG_PROVIDER_MY_CLOUD: "OFF" }, undefined],
    [{ TF_LOG_PROVIDER_MY_CLOUD: "TRACE" }, undefined],
  ] as const)("%j: %s", ([environment, level], { expect }) => {
    expect(hostedLogLevel(environment, "my-cloud")).toBe(level);
  });
});

describe("while debugging", () => {
  test.for([
    [{}, "info"],
    [{ TF_LOG: "DEBUG" }, "debug"],
    [{ TF_LOG: "DEBUG", TF_LOG_PROVIDER_MY_CLOUD: "OFF" }, undefined],
    [{ TF_LOG: "OFF", TF_LOG_PROVIDER_MY_CLOUD: "TRACE" }, "trace"],
  ] as const)("%j: %s", ([environment, level], { expect }) => {
    expect(debugLogLevel(environment, "my-cloud")).toBe(level);
  });
});
