// SPDX-License-Identifier: Apache-2.0
import type { CarrierClient } from "@tenon/protocol/carrier";
import { GRPCStdio, StdioData_Channel } from "@tenon/protocol/lean/plugin";
import { LineSplitter } from "./line-splitter.ts";
import type { LogSink } from "./log-record.ts";

/**
 * Reads what a provider's code prints: go-plugin takes standard output and standard error away from it and sends them here.
 * It must be read even when nobody listens: a provider that prints into a full channel waits for ever.
 *
 * Records are warnings, as a provider has no business printing. Fulfilled, never rejected, when the output ends; a provider
 * may also lack it.
 *
 * @see go-plugin grpc_stdio.go
 */
export async function readPrintedOutput(
  { transport }: Pick<CarrierClient, "transport">,
  provider: string,
  sink: LogSink | undefined,
  signal: AbortSignal,
): Promise<void> {
  const splitter = (name: "stdout" | "stderr"): LineSplitter =>
    new LineSplitter((line) => {
      if (line.length > 0)
        sink?.write({ level: "warn", name, message: line.toString("utf8"), fields: {}, timestamp: new Date(), provider });
    });
  const stdout = splitter("stdout");
  const stderr = splitter("stderr");
  try {
    const { message } = await transport.stream(GRPCStdio.method.streamStdio, signal, undefined, undefined, once({}));
    for await (const { channel, data } of message) {
      if (sink === undefined) continue;
      (channel === StdioData_Channel.STDERR ? stderr : stdout).add(Buffer.from(data));
    }
  } catch {
    // It does not offer this, or is gone; then the calls know.
  }
  stdout.end();
  stderr.end();
}

async function* once<T>(element: T): AsyncGenerator<T> {
  yield element;
}
