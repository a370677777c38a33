// SPDX-License-Identifier: Apache-2.0
// Compares how the engine and OpenTofu parse module sources.
import { formatModuleSource, parseModuleSource } from "@tenon/engine/configuration";
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { openOracle } from "../cty/oracle.ts";

/** Module sources, one for each line. */
const sources = String.raw`./a
../a
./a/../b/
../../a/./b
./
../
.\a\b
./a//b
./a?x=1
.
a/b/c
a/b/c//d
a/b/c//d/../e
a/b/c//../d
example.com/a/b/c
Example.COM/a/b/c
example.com:8443/a/b/c
localhost/a/b/c
xn--exmple-cua.com/a/b/c
exämple.com/a/b/c
a/b/C
a/b/c?x=1
a.b/c/d
-a/b/c
a/b
a/b/c/d/e
a_b/c-d/e
github.com/a/b
github.com/a/b.git
github.com/a/b//c
github.com/a/b/c/d
github.com/a/b?ref=v1
github.com/a/b//c?ref=v1
github.com/a
git@github.com:a/b.git
git@github.com:a/b.git//c?ref=x
git::git@github.com:a/b
git::https://x.com/a.git
git::https://x.com/a.git//b?ref=c
git::ssh://git@x.com/a.git
git::ssh://git@x.com:22/a.git//b
user@host:path
host:path
ssh://x/y
git::file:///a/b
git::/a/b
git::ext::sh -c x
git::./a
https://x.com/a.zip
https://x.com/a.zip//b
http://x.com/a?archive=zip
https://x.com/a.tar.gz//b?c=d
https://user:pass@x.com/a.zip
s3::https://s3.amazonaws.com/b/k.zip
b.s3.amazonaws.com/k.zip
s3-eu-west-1.amazonaws.com/b/k.zip
b.s3-eu-west-1.amazonaws.com/k.zip
b.s3.eu-west-1.amazonaws.com/k.zip
x.y.z.amazonaws.com/k
gcs::https://www.googleapis.com/storage/v1/b/k
www.googleapis.com/storage/v1/b/k.zip
www.googleapis.com/x
oci://x.com/a
oci://x.com/a//b?tag=c
oci::x
hg::http://x.com/a
file:///a/b
/a/b
/a/b//c
/a/b//../c
a
a b
what::x
https://x.com/a//../b
https://x.com//a
foo://x`.split("\n");

describePeer(["engine-oracle"], "module sources beside OpenTofu", () => {
  test("are parsed the same, or rejected", async ({ expect }) => {
    const oracle = await openOracle({ peer: "engine-oracle", repeats: 1 });
    try {
      const answers = await oracle.ask(sources.map((source) => ({ op: "configuration.moduleSource", args: [source] })));
      const differences = sources.flatMap((source, index) => {
        const answer = answers[index]!;
        const parsed = parseModuleSource(source);
        const ours =
          "source" in parsed
            ? { source: formatModuleSource(parsed.source), kind: parsed.source.kind[0]!.toUpperCase() + parsed.source.kind.slice(1) }
            : { error: parsed.reason };
        return JSON.stringify(answer) === JSON.stringify({ ok: ours })
          ? []
          : [`${source}\n- ${JSON.stringify(answer)}\n+ ${JSON.stringify(ours)}`];
      });
      expect(differences).toEqual([]);
    } finally {
      oracle.close();
    }
  });
});
