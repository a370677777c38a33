// SPDX-License-Identifier: Apache-2.0
// Mutations of the host's handling of the pitfalls in packages/plugin-host/docs/pitfalls.md. Pitfalls that only a Go provider shows
// have tests in tests/interop, and no mutation.
import { type Mutation, mutationsOf } from "../mutation.ts";

const host = "packages/plugin-host/src";
const launchFailures = `${host}/launch/launch-failures.test.ts`;
const launched = `${host}/launch/launched-provider.test.ts`;
const attached = `${host}/attach/attach-provider.test.ts`;
const unpacked = `${host}/install/package/unpack.test.ts`;
const carrier = "packages/protocol/src";

export const hostPitfalls: readonly Mutation[] = [
  ...mutationsOf(`${host}/launch/handshake.ts`, launchFailures, [
    [1, "const advice = handshakeLike.test(rest)", "const advice = false", "noise (pitfall 1)"],
    [2, "if (!expected.autoMtls && handshake.certificate !== undefined) {", "if (false) {", "unrequested-certificate (pitfall 2)"],
    [9, "if (supported === undefined) {", "if (supported === null) {", "protocol-4 (pitfall 9)"],
  ]),
  ...mutationsOf(`${host}/launch/child-environment.ts`, launchFailures, [
    [4, "[pluginVariables.multiplexGrpc]: undefined,", '[pluginVariables.multiplexGrpc]: "true",', "is that of this process"],
    [40, "if (!notInherited.test(name)) environment[name] = value;", "environment[name] = value;", "is that of this process"],
  ]),
  ...mutationsOf(`${carrier}/carrier/dial.ts`, launchFailures, [
    [6, 'minVersion: "TLSv1.2",', 'minVersion: "TLSv1.2", rejectUnauthorized: false,', "rejects a server whose certificate differs"],
  ]),
  ...mutationsOf(`${carrier}/carrier/dial.ts`, launched, [
    [38, "port: address.port }", "port: address.port ^ 1 }", "may listen on TCP (pitfall 38)"],
  ]),
  ...mutationsOf(`${host}/launch/start-failure.ts`, launchFailures, [
    [10, "/This binary is a plugin|not meant to be executed directly/i", "/never said/", "cookie (pitfall 10)"],
  ]),
  ...mutationsOf(`${host}/process/socket-folder.ts`, `${host}/process/socket-folder.test.ts`, [
    [11, 'const parent = fits ? folder : "/tmp";', "const parent = folder;", "keeps the socket's path within the limit"],
  ]),
  ...mutationsOf(`${host}/process/provider-process.ts`, `${host}/process/host-end.test.ts`, [
    [12, "detached: ownGroup,", "detached: false,", "keep running when their host handles Ctrl-C"],
  ]),
  ...mutationsOf(`${host}/launch/shutdown.ts`, launched, [[13, "    process.kill();\n", "", "is killed after its grace period"]]),
  ...mutationsOf(`${host}/process/provider-process.ts`, launched, [
    [17, 'stdio: ["ignore", "pipe", "pipe"],', 'stdio: ["pipe", "pipe", "pipe"],', "receives no byte of this process's standard input"],
  ]),
  ...mutationsOf(`${host}/output/standard-error.ts`, `${host}/output/standard-error.test.ts`, [
    [23, '(structured ? "provider" : "stderr")', '"provider"', "emits a record for each line, plain text included (pitfall 23)"],
  ]),
  ...mutationsOf(`${host}/attach/attach-provider.ts`, attached, [
    [25, "entry.test ? connection.close() : end(", "end(", "keeps running after close when its entry says test: true"],
    [36, "    if (isAlive(pid)) return;\n", "    return;\n", "becomes unavailable when its connection closes"],
  ]),
  ...mutationsOf(`${carrier}/handshake/handshake-line.ts`, launchFailures, [
    [28, 'if (transport !== "grpc") throw', 'if (transport === "netrpc") throw', "netrpc (pitfall 28)"],
  ]),
  ...mutationsOf(`${host}/process/provider-process.ts`, launchFailures, [
    [29, "const busyPausesMs = [50, 100, 200];", "const busyPausesMs = [0];", "retries while the executable is open for writing"],
  ]),
  ...mutationsOf(`${host}/install/package/package-hash.ts`, unpacked, [
    [30, "Buffer.compare(left.key, right.key)", "left.line.localeCompare(right.line)", "equal those of Go's dirhash"],
  ]),
  ...mutationsOf(`${host}/install/package/unpack.ts`, unpacked, [
    [31, "mode: entry.mode ?? 0o644", "mode: 0o644", "unpacks files and folders with their modes"],
  ]),
  ...mutationsOf(`${host}/install/lock-file/lock-file.ts`, `${host}/install/lock-file/lock-file.test.ts`, [
    [33, "(left < right ? -1 : 1)", "(left < right ? 1 : -1)", "have the same bytes after reading and writing"],
  ]),
];
