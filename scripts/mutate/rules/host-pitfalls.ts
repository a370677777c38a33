// SPDX-License-Identifier: Apache-2.0
// What the host does about the pitfalls of packages/plugin-host/docs/pitfalls.md, and how it looks without. Those that only a provider
// in Go shows are tested in tests/interop, and not here.
import { type Mutation, mutationsOf } from "../mutation.ts";

const host = "packages/plugin-host/src";
const launchFailures = `${host}/launch/launch-failures.test.ts`;
const launched = `${host}/provider/launched-provider.test.ts`;
const attached = `${host}/attach/attach-provider.test.ts`;
const unpacked = `${host}/install/package/unpack.test.ts`;
const carrier = "packages/protocol/src";

export const hostPitfalls: readonly Mutation[] = [
  ...mutationsOf(`${host}/launch/handshake.ts`, launchFailures, [
    [1, "const advice = handshakeLike.test(rest)", "const advice = false", "noise (pitfall 1)"],
    [2, "if (!expected.autoMtls && handshake.certificate !== undefined) {", "if (false) {", "unasked-certificate (pitfall 2)"],
    [9, "if (spoken === undefined) {", "if (spoken === null) {", "protocol-4 (pitfall 9)"],
  ]),
  ...mutationsOf(`${host}/launch/child-environment.ts`, launchFailures, [
    [4, "[pluginVariables.multiplexGrpc]: undefined,", '[pluginVariables.multiplexGrpc]: "true",', "is this process's"],
    [40, "if (!notInherited.test(name)) environment[name] = value;", "environment[name] = value;", "is this process's"],
  ]),
  ...mutationsOf(`${carrier}/carrier/dial.ts`, launchFailures, [
    [6, 'minVersion: "TLSv1.2",', 'minVersion: "TLSv1.2", rejectUnauthorized: false,', "is not spoken to where it serves with another"],
  ]),
  ...mutationsOf(`${carrier}/carrier/dial.ts`, launched, [
    [38, "port: address.port }", "port: address.port ^ 1 }", "may listen on TCP (pitfall 38)"],
  ]),
  ...mutationsOf(`${host}/launch/start-failure.ts`, launchFailures, [
    [10, "/This binary is a plugin|not meant to be executed directly/i", "/never said/", "cookie (pitfall 10)"],
  ]),
  ...mutationsOf(`${host}/launch/socket-folder.ts`, `${host}/launch/socket-folder.test.ts`, [
    [11, 'const parent = fits ? folder : "/tmp";', "const parent = folder;", "leaves a socket's path short enough"],
  ]),
  ...mutationsOf(`${host}/launch/process.ts`, `${host}/orphans/host-end.test.ts`, [
    [12, "detached: ownGroup,", "detached: false,", "handles Ctrl-C itself"],
  ]),
  ...mutationsOf(`${host}/launch/shutdown.ts`, launched, [
    [13, "    process.kill();\n", "", "that does not end when it is asked to is killed"],
  ]),
  ...mutationsOf(`${host}/launch/process.ts`, launched, [
    [17, 'stdio: ["ignore", "pipe", "pipe"],', 'stdio: ["pipe", "pipe", "pipe"],', "gets nothing of this process's standard input"],
  ]),
  ...mutationsOf(`${host}/output/standard-error.ts`, `${host}/output/standard-error.test.ts`, [
    [23, '(structured ? "provider" : "stderr")', '"provider"', "makes records of lines, text included (pitfall 23)"],
  ]),
  ...mutationsOf(`${host}/attach/attach-provider.ts`, attached, [
    [25, "entry.test ? connection.close() : end(", "end(", "is left running where that is wanted"],
    [36, "    if (isAlive(pid)) return;\n", "    return;\n", "dies with the connection, or with the process"],
  ]),
  ...mutationsOf(`${carrier}/handshake/handshake-line.ts`, launchFailures, [
    [28, 'if (transport !== "grpc") throw', 'if (transport === "netrpc") throw', "netrpc (pitfall 28)"],
  ]),
  ...mutationsOf(`${host}/launch/process.ts`, launchFailures, [
    [29, "const busyPausesMs = [50, 100, 200];", "const busyPausesMs = [0];", "is still being written, and is started when that ends"],
  ]),
  ...mutationsOf(`${host}/install/package/package-hash.ts`, unpacked, [
    [30, "Buffer.compare(left.key, right.key)", "left.line.localeCompare(right.line)", "are those of Go's dirhash"],
  ]),
  ...mutationsOf(`${host}/install/package/unpack.ts`, unpacked, [
    [31, "mode: entry.mode ?? 0o644", "mode: 0o644", "unpacks files and folders with their modes"],
  ]),
  ...mutationsOf(`${host}/install/lock-file/lock-file.ts`, `${host}/install/lock-file/lock-file.test.ts`, [
    [33, "(left < right ? -1 : 1)", "(left < right ? 1 : -1)", "are written as they were read"],
  ]),
];
