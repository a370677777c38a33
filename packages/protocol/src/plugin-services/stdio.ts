// SPDX-License-Identifier: Apache-2.0
import { registration, type ServiceRegistration } from "../carrier/carrier.ts";
import { GRPCStdio, StdioData_Channel } from "../gen/lean/plugin/grpc_stdio_pb.ts";

/** Forwards the output of a plugin to its host. */
export interface StdioService {
  /** The service, for the server of a carrier. */
  readonly registration: ServiceRegistration;
  /** Queues output for the host. Never waits: when the queue is full, the oldest output is dropped. */
  write(channel: "stdout" | "stderr", data: Uint8Array): void;
  /** Ends the streams of the hosts after the queued output. Call it when the plugin shuts down. */
  end(): void;
}

/** Options of {@link stdioService}. */
export interface StdioServiceOptions {
  /** Maximum size of the queue, in bytes. Default: 1 MiB. */
  readonly maxQueuedBytes?: number;
}

/**
 * Creates the service that sends standard output and standard error to the host.
 *
 * The stream stays open until `end()`: a Go host closes a connection without an open call after 30 minutes.
 *
 * @see go-plugin grpc_stdio.go
 */
export function stdioService({ maxQueuedBytes = 1024 * 1024 }: StdioServiceOptions = {}): StdioService {
  const queue = new ChunkQueue(maxQueuedBytes);
  const waiting = new Set<() => void>();
  let ended = false;
  const wake = (): void => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  return {
    registration: registration(GRPCStdio, {
      async *streamStdio(_request, { signal }) {
        signal.addEventListener("abort", wake, { once: true });
        while (!signal.aborted) {
          const chunk = queue.shift();
          if (chunk !== undefined) yield chunk;
          else if (ended) return;
          else await new Promise<void>((resolve) => void waiting.add(resolve));
        }
      },
    }),
    write(channel, data) {
      if (ended || data.length === 0) return;
      queue.push({
        channel: channel === "stdout" ? StdioData_Channel.STDOUT : StdioData_Channel.STDERR,
        // A copy, because the caller may reuse its buffer.
        data: Uint8Array.from(data.subarray(-maxQueuedBytes)),
      });
      wake();
    },
    end() {
      ended = true;
      wake();
    },
  };
}

interface Chunk {
  readonly channel: StdioData_Channel;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** A queue of chunks that drops the oldest ones when it is full. */
class ChunkQueue {
  /** A set, because removing the first element of an array takes time in proportion to its length. */
  readonly #chunks = new Set<Chunk>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Chunk): void {
    this.#chunks.add(chunk);
    this.#bytes += memoryOf(chunk);
    while (this.#chunks.size > 1 && this.#bytes > this.#maxBytes) this.shift();
  }

  shift(): Chunk | undefined {
    const { value: chunk } = this.#chunks.values().next();
    if (chunk === undefined) return undefined;
    this.#chunks.delete(chunk);
    this.#bytes -= memoryOf(chunk);
    return chunk;
  }
}

/** Memory of a chunk in bytes, including the object itself: otherwise the queue would hold millions of chunks with one byte. */
function memoryOf({ data }: Chunk): number {
  return data.length + 64;
}
