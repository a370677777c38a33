// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { findPeer, PeerError, whyAbsent } from "./peers.ts";
import type { Peer, PeerName } from "./peers.ts";

/**
 * Declares a suite of tests that use peers.
 *
 * When all peers are available, the body declares the tests; it receives the peers by name. When one is absent, the suite consists of
 * one skipped test, whose note names the absent peer and the command that builds it. With TENON_PEERS=required that test fails.
 *
 * @example
 * describePeer(["tofu"], "a plan made by tofu", ({ tofu }) => {
 *   test("shows the change", ({ expect }) => {
 *     expect(execFileSync(tofu.path, ["plan"], { cwd, encoding: "utf8" })).toContain("1 to add");
 *   });
 * });
 */
export function describePeer<const Name extends PeerName>(
  names: readonly Name[],
  suite: string,
  body: (peers: Readonly<Record<Name, Peer>>) => void,
): void {
  const peers: Partial<Record<Name, Peer>> = {};
  const absent: Name[] = [];
  let refusal: PeerError | undefined;
  for (const name of names) {
    try {
      const peer = findPeer(name);
      if (peer === undefined) absent.push(name);
      else peers[name] = peer;
    } catch (error) {
      if (!(error instanceof PeerError)) throw error;
      refusal ??= error;
      absent.push(name);
    }
  }
  describe(suite, () => {
    if (absent.length === 0) {
      body(peers as Record<Name, Peer>);
      return;
    }
    test(`needs ${absent.join(" and ")}`, ({ skip }) => {
      if (refusal !== undefined) throw refusal;
      skip(absent.map(whyAbsent).join("; "));
    });
  });
}
