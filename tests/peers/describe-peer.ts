// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { findPeer, PeerError, whyAbsent } from "./peers.ts";
import type { Peer, PeerName } from "./peers.ts";

/**
 * A `describe` for tests that talk to peers.
 *
 * When all of them are there, the body declares its tests as in any suite; it gets the peers by name. When one is
 * absent the body does not run: the suite holds a single test instead, skipped with a note that says which peer is
 * missing and how to get it. With TENON_PEERS=required that test fails.
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
