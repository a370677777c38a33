// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { launchProvider, openProvider, type LogRecord } from "@tenon/plugin-host";
import { currentPlatform, decodeCliConfig, formatPlatform } from "@tenon/plugin-host/install";
import { afterAll, test } from "vitest";

describePeer(["framework-provider", "bare-provider"], "schemas that were said before", (peers) => {
  const folder = mkdtempSync(join(tmpdir(), "host-schema-cache-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The peer as a package in a mirror, or as what somebody works on. */
  function installation(kind: "mirror" | "development"): { readonly install: object; readonly schemas: string } {
    const place = mkdtempSync(join(folder, "place-"));
    const name = "terraform-provider-framework";
    const packaged = kind === "development" ? place : join(place, "example.com/acme/framework/1.0.0", formatPlatform(currentPlatform()));
    mkdirSync(packaged, { recursive: true });
    symlinkSync(peers["framework-provider"].path, join(packaged, name));
    const where =
      kind === "development"
        ? `dev_overrides {\n    "example.com/acme/framework" = "${place}"\n  }`
        : `filesystem_mirror {\n    path = "${place}"\n  }`;
    const cliConfig = decodeCliConfig(`provider_installation {\n  ${where}\n}\n`, "cli.tfrc", "opentofu", {});
    return { install: { cliConfig, cacheFolder: join(place, "packages"), environment: { HOME: place } }, schemas: join(place, "schemas") };
  }

  /** The RPCs that the Go provider says it was asked, while a resource is made and deleted. */
  async function rpcsOf({ install, schemas }: ReturnType<typeof installation>): Promise<readonly unknown[]> {
    const records: LogRecord[] = [];
    {
      await using fw = await openProvider("example.com/acme/framework", {
        install,
        schemaCache: schemas,
        config: { directory: mkdtempSync(join(folder, "records-")) },
        onLog: (record) => records.push(record),
        logLevel: "trace",
      });
      const made = await fw.resource("framework_record").create({ name: "first", secret: "hunter2" });
      await fw.resource("framework_record").delete(made);
    }
    // All that it has written has been read by now.
    return records.filter(({ name, message }) => name !== "host" && message === "Received request").map(({ fields }) => fields["tf_rpc"]);
  }

  test("are not asked for again in the next process, whatever has become of the file, and whoever writes it at the same time", async ({
    expect,
  }) => {
    const installed = installation("mirror");
    const first = await rpcsOf(installed);
    expect(first.filter((rpc) => rpc === "GetProviderSchema")).toHaveLength(1);
    expect(await rpcsOf(installed)).toEqual(first.filter((rpc) => rpc !== "GetProviderSchema"));
    // A file that has been damaged is asked for anew, and replaced.
    const [file] = readdirSync(installed.schemas);
    const whole = readFileSync(join(installed.schemas, file!));
    writeFileSync(join(installed.schemas, file!), whole.subarray(0, -1));
    expect(await rpcsOf(installed)).toContain("GetProviderSchema");
    // Go answers maps in any order.
    expect(readFileSync(join(installed.schemas, file!)).length).toBe(whole.length);
    rmSync(installed.schemas, { recursive: true });
    const many = await Promise.all(Array.from({ length: 4 }, () => rpcsOf(installed)));
    expect(many.every((rpcs) => rpcs.includes("ApplyResourceChange"))).toBe(true);
    expect(readdirSync(installed.schemas)).toEqual([file]);
  });

  test("are asked for each time where somebody works on the provider", async ({ expect }) => {
    const overridden = installation("development");
    expect(await rpcsOf(overridden)).toContain("GetProviderSchema");
    expect(await rpcsOf(overridden)).toContain("GetProviderSchema");
    expect(readdirSync(join(overridden.schemas, ".."))).not.toContain("schemas");
    await expect(openProvider(peers["framework-provider"].path, { schemaCache: true })).rejects.toMatchObject({ code: "INVALID_OPTIONS" });
  });

  test("are decoded by type, as those that come over the wire, where there are many megabytes", async ({ expect }) => {
    const command = [peers["bare-provider"].path, "-large-types=300"] as const;
    const schemaCache = { folder: join(folder, "large"), packageHash: "h1:AAAA" } as const;
    const open = async (): Promise<readonly [number, unknown]> => {
      await using bare = await launchProvider({ command, schemaCache });
      const { resources } = await bare.getProviderSchema({});
      return [resources.size, resources.get("bench_large_00299")];
    };
    const first = await open();
    expect(first[1]).toBeDefined();
    expect(await open()).toEqual(first);
  });
});
