// SPDX-License-Identifier: Apache-2.0

// A provider on terraform-plugin-framework whose schemas and behaviour come from a JSON file. Tests compare it with a provider that our
// SDK builds from the same file. declaration.go defines the format of the file.
package main

import (
	"context"
	"log"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
)

const (
	address = "registry.terraform.io/tenon/made"
	// declarationVariable is the environment variable with the path of the file.
	declarationVariable = "MADE_PROVIDER_DECLARATION"
)

// version is set by the linker.
var version = "dev"

func main() {
	declared, err := readDeclaration(os.Getenv(declarationVariable))
	if err != nil {
		log.Fatalf("%s: %v", declarationVariable, err)
	}
	serve := func() provider.Provider { return &declaredProvider{declared: declared} }
	if err := providerserver.Serve(context.Background(), serve, providerserver.ServeOpts{Address: address, ProtocolVersion: 6}); err != nil {
		log.Fatal(err)
	}
}
