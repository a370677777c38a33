// SPDX-License-Identifier: Apache-2.0
import type { SecretMask } from "@tenon/schema/observability";

/** Masks the output of this process, and holds it back while a new secret is created. */
export interface OutputMask extends SecretMask {
  /** Whether output must be held back, because it may contain a secret that is not known yet. */
  readonly isHolding: boolean;
  /** Holds an output back; `deliver` is called once it can be masked. */
  hold(deliver: () => void): void;
  /** Delivers all outputs that are held back. */
  release(): void;
}

/** Functions of the loaded provider that format this process's output. */
export interface OutputFormat {
  readonly mask: OutputMask;
  /** Returns the stack of an uncaught error, with its causes. */
  readonly stackOf: (error: unknown) => string;
}

let mask: OutputMask | undefined;
let stackOf: OutputFormat["stackOf"] = (error) => process.getBuiltinModule("node:util").inspect(error);

/** Sets the format of this process's output. Until then no call has been handled, so no secret is known. */
export function formatOutput(format: OutputFormat): void {
  ({ mask, stackOf } = format);
}

/** Returns the stack of an uncaught error without secrets. */
export function maskedStack(error: unknown): string {
  return maskedText(stackOf(error));
}

/** Returns the text without secrets. */
export function maskedText(text: string): string {
  return mask?.hide(text) ?? text;
}

/** Returns printed bytes without secrets. Bytes without secrets are returned unchanged. */
export function maskedBytes(bytes: Uint8Array): Uint8Array {
  if (mask === undefined) return bytes;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  const masked = mask.hide(text);
  return masked === text ? bytes : Buffer.from(masked);
}

/** Prints immediately; while a handler creates a secret that is not known yet, prints after the handler has returned. */
export function whenMaskable(print: () => void): void {
  if (mask?.isHolding) mask.hold(print);
  else print();
}

/** Prints all outputs that are held back, because the process is about to end. */
export function releaseOutput(): void {
  mask?.release();
}

/**
 * Masks the output to `process.stdout` or `process.stderr`, for example of `console.error`. The stream is created at its first use,
 * as in Node. Writes to the file descriptor itself are not masked.
 */
export function maskStream(name: "stdout" | "stderr"): void {
  const standard = Object.getOwnPropertyDescriptor(process, name)!;
  let stream: NodeJS.WriteStream | undefined;
  Object.defineProperty(process, name, {
    configurable: true,
    enumerable: true,
    get: () => (stream ??= maskedStream(standard.get!.call(process) as NodeJS.WriteStream)),
  });
}

type Written = string | Uint8Array;
type WriteCallback = (error?: Error | null) => void;

function maskedStream(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  const write = stream.write.bind(stream);
  stream.write = (chunk: Written, encodingOrDone?: BufferEncoding | WriteCallback, done?: WriteCallback): boolean => {
    const encoding = typeof encodingOrDone === "string" ? encodingOrDone : "utf8";
    const callback = typeof encodingOrDone === "function" ? encodingOrDone : done;
    const bytes = typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk;
    whenMaskable(() => write(maskedBytes(bytes), callback));
    return true;
  };
  return stream;
}
