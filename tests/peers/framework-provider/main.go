// SPDX-License-Identifier: Apache-2.0

// A provider on terraform-plugin-framework, protocol 6, with every feature that a host must handle: every kind of attribute,
// every kind of component, and every way to fail. Its data are files in a directory, so that a test can inspect, change and remove them
// without the provider's knowledge.
package main

import (
	"context"
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
)

// address is the provider's source address in a configuration; only a filesystem mirror or a development override serves it.
const address = "registry.terraform.io/tenon/framework"

// version is set by the linker.
var version = "dev"

func main() {
	debug := flag.Bool("debug", false, "keep running and print TF_REATTACH_PROVIDERS; without this flag, a host must start the provider")
	measured := flag.Bool("measured", false, "serve the provider with the two resources that benchmarks measure, see measured.go")
	flag.Parse()

	serve := func() provider.Provider { return &frameworkProvider{version: version} }
	options := providerserver.ServeOpts{Address: address, Debug: *debug, ProtocolVersion: 6}
	if *measured {
		serve = func() provider.Provider { return measuredProvider{} }
		options.Address = measuredAddress
	}
	if err := providerserver.Serve(context.Background(), serve, options); err != nil {
		log.Fatal(err)
	}
}
