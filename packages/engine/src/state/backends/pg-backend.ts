// SPDX-License-Identifier: Apache-2.0
import { bool, string } from "@tenon/cty";
import { postgresState } from "../stores/postgres-store.ts";
import { schemaOf, withDefaults, type ArgumentTable } from "./argument-table.ts";
import { textAttribute, booleanAttribute, type BackendType } from "./backend.ts";

const skipping = (object: string): string => `If set to \`true\`, OpenTofu won't try to create the Postgres ${object}`;

const table: ArgumentTable = {
  conn_str: { type: string, description: "Postgres connection string; a `postgres://` URL", variable: "PG_CONN_STR" },
  schema_name: {
    type: string,
    description: "Name of the automatically managed Postgres schema to store state",
    variable: "PG_SCHEMA_NAME",
    default: "terraform_remote_state",
  },
  skip_schema_creation: { type: bool, description: skipping("schema"), variable: "PG_SKIP_SCHEMA_CREATION", default: false },
  table_name: {
    type: string,
    description: "Name of the automatically managed Postgres table to store state",
    variable: "PG_TABLE_NAME",
    default: "states",
  },
  skip_table_creation: { type: bool, description: skipping("table"), variable: "PG_SKIP_TABLE_CREATION", default: false },
  index_name: {
    type: string,
    description: "Name of the automatically managed Postgres index used for stored state",
    variable: "PG_INDEX_NAME",
    default: "states_by_name",
  },
  skip_index_creation: { type: bool, description: skipping("index"), variable: "PG_SKIP_INDEX_CREATION", default: false },
};

/** A PostgreSQL database. @see OpenTofu internal/backend/remote-state/pg */
export const pgBackend: BackendType = {
  schema: (environment) => schemaOf(table, environment),
  prepare: (config, environment) => withDefaults(config, table, environment),
  open: (config, { variables }) =>
    postgresState({
      connectionString: textAttribute(config, "conn_str") ?? "",
      schemaName: textAttribute(config, "schema_name")!,
      tableName: textAttribute(config, "table_name")!,
      indexName: textAttribute(config, "index_name")!,
      skipSchemaCreation: booleanAttribute(config, "skip_schema_creation")!,
      skipTableCreation: booleanAttribute(config, "skip_table_creation")!,
      skipIndexCreation: booleanAttribute(config, "skip_index_creation")!,
      variables,
    }),
};
