// SPDX-License-Identifier: Apache-2.0

// A provider directly on terraform-plugin-go, protocol 6, without a framework: it hands back what it is given, so that what a call takes is
// what the wire and its client take. For holding hosts against a Go client, and for what no sensible provider does: schemas of tens of
// megabytes, lists without an end.
package main

import (
	"flag"
	"log"
	"os"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
)

// address is where a configuration finds this provider; only a filesystem mirror or a development override serves it.
const address = "registry.terraform.io/tenon/bare"

// version is set by the linker.
var version = "dev"

func main() {
	large := flag.Int("large-types", 0, "offer so many more resource types, of 16 KiB of schema each")
	flag.Parse()

	// Made here: the library puts a pipe in place of standard error.
	logger := hclog.New(&hclog.LoggerOptions{Name: "bare", Level: hclog.Info, JSONFormat: true, Output: os.Stderr})
	provider := &bareProvider{schemas: schemasWith(*large), logger: logger}
	if err := tf6server.Serve(address, func() tfprotov6.ProviderServer { return provider }); err != nil {
		log.Fatal(err)
	}
}
