// SPDX-License-Identifier: Apache-2.0

// A provider that panics in every RPC that a host need not call: most notably in GetFunctions, as hashicorp/corner does. It serves
// protocol 6, or protocol 5 with `-protocol 5`. Its schema has one function, `shout`, which returns its argument in upper case.
package main

import (
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5/tf5server"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
)

const address = "registry.terraform.io/tenon/panicking"

// version is set by the linker.
var version = "dev"

func main() {
	protocol := flag.Int("protocol", 6, "the protocol version to serve: 5 or 6")
	flag.Parse()
	var err error
	if *protocol == 5 {
		err = tf5server.Serve(address, func() tfprotov5.ProviderServer { return &provider5{} })
	} else {
		err = tf6server.Serve(address, func() tfprotov6.ProviderServer { return &provider6{} })
	}
	if err != nil {
		log.Fatal(err)
	}
}
