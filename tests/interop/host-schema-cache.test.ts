// SPDX-License-Identifier: Apache-2.0
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { launchProvider, openProvider, providerFactory, type LogRecord } from "@tenon/plugin-host";
import { currentPlatform, decodeCliConfig, formatPlatform } from "@tenon/plugin-host/install";
import { afterAll, test } from "vitest";

describePeer(["framework-provider", "bare-provider"], "cached schemas", (peers) => {
  const folder = mkdtempSync(join(tmpdir(), "host-schema-cache-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Installs the peer as a package in a mirror, or as a development override. */
  function installation(kind: "mirror" | "development"): { readonly install: object; readonly schemas: string } {
    const root = mkdtempSync(join(folder, "root-"));
    const name = "terraform-provider-framework";
    const packaged = kind === "development" ? root : join(root, "example.com/acme/framework/1.0.0", formatPlatform(currentPlatform()));
    mkdirSync(packaged, { recursive: true });
    symlinkSync(peers["framework-provider"].path, join(packaged, name));
    const where =
      kind === "development"
        ? `dev_overrides {\n    "example.com/acme/framework" = "${root}"\n  }`
        : `filesystem_mirror {\n    path = "${root}"\n  }`;
    const cliConfig = decodeCliConfig(`provider_installation {\n  ${where}\n}\n`, "cli.tfrc", "opentofu", {});
    return { install: { cliConfig, cacheFolder: join(root, "packages"), environment: { HOME: root } }, schemas: join(root, "schemas") };
  }

  /** Creates and deletes a resource, and returns the RPCs in the log of the Go provider. */
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
    // After the close, the whole log has been read.
    return records.filter(({ name, message }) => name !== "host" && message === "Received request").map(({ fields }) => fields["tf_rpc"]);
  }

  test("are not requested by the next process, and replace a damaged or concurrently written file", async ({ expect }) => {
    const installed = installation("mirror");
    const first = await rpcsOf(installed);
    expect(first.filter((rpc) => rpc === "GetProviderSchema")).toHaveLength(1);
    expect(await rpcsOf(installed)).toEqual(first.filter((rpc) => rpc !== "GetProviderSchema"));
    // A damaged file is replaced with newly requested schemas.
    const [file] = readdirSync(installed.schemas);
    const whole = readFileSync(join(installed.schemas, file!));
    writeFileSync(join(installed.schemas, file!), whole.subarray(0, -1));
    expect(await rpcsOf(installed)).toContain("GetProviderSchema");
    // Go encodes maps in a random order, so only the lengths are equal.
    expect(readFileSync(join(installed.schemas, file!)).length).toBe(whole.length);
    rmSync(installed.schemas, { recursive: true });
    const many = await Promise.all(Array.from({ length: 4 }, () => rpcsOf(installed)));
    expect(many.every((rpcs) => rpcs.includes("ApplyResourceChange"))).toBe(true);
    expect(readdirSync(installed.schemas)).toEqual([file]);
  });

  test("are not used for a development override", async ({ expect }) => {
    const overridden = installation("development");
    expect(await rpcsOf(overridden)).toContain("GetProviderSchema");
    expect(await rpcsOf(overridden)).toContain("GetProviderSchema");
    expect(readdirSync(join(overridden.schemas, ".."))).not.toContain("schemas");
    await expect(openProvider(peers["framework-provider"].path, { schemaCache: true })).rejects.toMatchObject({ code: "INVALID_OPTIONS" });
  });

  test("of a factory are shared by its processes, until its executable changes", async ({ expect }) => {
    const executable = join(mkdtempSync(join(folder, "executable-")), "terraform-provider-framework");
    copyFileSync(peers["framework-provider"].path, executable);
    const records: LogRecord[] = [];
    const factory = providerFactory(executable, { onLog: (record) => records.push(record), logLevel: "trace" });
    const requests = (): number =>
      records.filter(({ message, fields }) => message === "Received request" && fields["tf_rpc"] === "GetProviderSchema").length;
    const types: (readonly string[])[] = [];
    const open = async (): Promise<void> => {
      await using provider = await factory();
      types.push([...(await provider.getProviderSchema({})).resources.keys()]);
      expect(await provider.getResourceIdentitySchemas({})).toHaveProperty("identitySchemas");
    };
    for (let run = 0; run < 3; run += 1) await open();
    expect(requests()).toBe(1);
    rmSync(executable);
    copyFileSync(peers["framework-provider"].path, executable);
    await open();
    expect(requests()).toBe(2);
    expect(types).toEqual(Array.from({ length: 4 }, () => expect.arrayContaining(["framework_record"])));
    // Another factory shares nothing with the first.
    await using other = await providerFactory(executable, { onLog: (record) => records.push(record), logLevel: "trace" })();
    await other.getProviderSchema({});
    await other.close();
    expect(requests()).toBe(3);
  });

  test("of many megabytes are decoded by type, with the same results as received schemas", async ({ expect }) => {
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
