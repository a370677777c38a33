// SPDX-License-Identifier: Apache-2.0

// A provider on terraform-plugin-framework, protocol 6, that shows a host everything such a provider may do: every
// kind of attribute, every kind of component, and every way to go wrong. Its data are files in a directory, so that a
// test can look at them, change them behind its back, and remove them.
package main

import (
	"context"
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
)

// address is where a configuration finds this provider; only a filesystem mirror or a development override serves it.
const address = "registry.terraform.io/tenon/framework"

// version is set by the linker.
var version = "dev"

func main() {
	debug := flag.Bool("debug", false, "stay up and print TF_REATTACH_PROVIDERS, instead of being started by a host")
	measured := flag.Bool("measured", false, "be the provider of two resources that benchmarks measure, instead of the one that shows everything")
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
