// SPDX-License-Identifier: Apache-2.0

// A provider directly on terraform-plugin-go, protocol 6, without a framework. It returns the values that it receives, so that the time of
// a call is the time of the wire and of the client. Benchmarks compare hosts with a Go client by it, and tests use it for extreme cases:
// schemas of tens of megabytes, endless lists.
package main

import (
	"flag"
	"log"
	"os"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
)

// address is the provider's source address in a configuration; only a filesystem mirror or a development override serves it.
const address = "registry.terraform.io/tenon/bare"

// version is set by the linker.
var version = "dev"

func main() {
	large := flag.Int("large-types", 0, "number of additional resource types, each with 16 KiB of schema")
	flag.Parse()

	// Created before the server starts, because the library replaces standard error by a pipe.
	logger := hclog.New(&hclog.LoggerOptions{Name: "bare", Level: hclog.Info, JSONFormat: true, Output: os.Stderr})
	provider := &bareProvider{schemas: schemasWith(*large), logger: logger}
	if err := tf6server.Serve(address, func() tfprotov6.ProviderServer { return provider }); err != nil {
		log.Fatal(err)
	}
}
