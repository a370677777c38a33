// SPDX-License-Identifier: Apache-2.0
import type { CarrierClient } from "@tenon/protocol/carrier";
import { GRPCStdio, StdioData_Channel } from "@tenon/protocol/lean/plugin";
import { LineSplitter } from "./line-splitter.ts";
import type { LogSink } from "./log-record.ts";

/**
 * Reads what a provider's code prints: go-plugin redirects its standard output and standard error to an RPC (StreamStdio). It must be
 * read even without a sink: a provider that prints into a full channel blocks forever.
 *
 * Records are warnings, because a provider should not print. Resolves when the output ends, or if the provider lacks the RPC; never
 * rejects.
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
    // The provider lacks the RPC, or has ended, which its calls report.
  }
  stdout.end();
  stderr.end();
}

async function* once<T>(element: T): AsyncGenerator<T> {
  yield element;
}
