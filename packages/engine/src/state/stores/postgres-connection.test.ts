// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { readConnectionString } from "./postgres-connection.ts";

describe("connection string", () => {
  test.for<[string, object]>([
    ["postgres://u:p%40@db.example:5433/states?sslmode=disable", { host: "db.example", port: 5433, user: "u", password: "p@", ssl: false }],
    ["postgresql:///states?host=/run/pg&user=u", { host: "/run/pg", database: "states", user: "u", ssl: false }],
    ["host=db user=u password='a \\'b\\\\' dbname=states sslmode=disable", { host: "db", password: "a 'b\\", database: "states" }],
    ["postgres://u@?host=/run/pg&dbname=d", { host: "/run/pg", user: "u", database: "d", ssl: false }],
    ["host = db  connect_timeout=3", { host: "db", connectionTimeoutMillis: 3000 }],
    ["", { host: "from.environment", port: 5434, user: "w", ssl: { rejectUnauthorized: true } }],
  ])("%j is read as by lib/pq", ([text, expected], { expect }) => {
    const variables = text === "" ? { PGHOST: "from.environment", PGPORT: "5434", PGUSER: "w", PGSSLMODE: "verify-full" } : {};
    expect(readConnectionString(text, variables)).toMatchObject(expected);
  });

  test("encrypts without verification unless it says otherwise", ({ expect }) => {
    const mode = (text: string): unknown => readConnectionString(text, {}).ssl;
    expect(mode("host=db")).toMatchObject({ rejectUnauthorized: false });
    expect(mode("host=db sslmode=verify-ca")).toMatchObject({ rejectUnauthorized: true, checkServerIdentity: expect.any(Function) });
    expect(mode("host=db sslmode=verify-full")).toEqual({ rejectUnauthorized: true });
  });

  test.for([
    "host=db sslmode=prefer",
    "host",
    "postgres://u:secret@%zz/db",
    "postgres://u:secret@db:x/db",
    "host=db sslrootcert=/absent/ca",
  ])("rejects %j without repeating secrets", (text, { expect }) => {
    let failure: unknown;
    try {
      readConnectionString(text, {});
    } catch (error) {
      failure = error;
    }
    expect(failure).toMatchObject({ code: "INVALID_OPTIONS" });
    expect(String(failure)).not.toContain("secret");
  });
});
