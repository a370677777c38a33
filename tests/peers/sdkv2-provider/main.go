// SPDX-License-Identifier: Apache-2.0

// A provider on terraform-plugin-sdk/v2, protocol 5, like most published providers: the legacy type system, which turns null into zero
// values, blocks instead of nested attributes, state that may be older than JSON, timeouts. Its objects are files in a directory, so that a
// test can inspect, change and remove them without the provider's knowledge.
package main

import (
	"context"
	"flag"
	"fmt"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/plugin"
)

// address is the provider's source address in a configuration; only a filesystem mirror or a development override serves it.
const address = "registry.terraform.io/tenon/sdkv2"

// version is set by the linker.
var version = "dev"

func main() {
	debug := flag.Bool("debug", false, "keep running and print TF_REATTACH_PROVIDERS; without this flag, a host must start the provider")
	showVersion := flag.Bool("version", false, "print the version")
	flag.Parse()
	if *showVersion {
		fmt.Println(version)
		return
	}
	plugin.Serve(&plugin.ServeOpts{Debug: *debug, ProviderAddr: address, ProviderFunc: newProvider})
}

func newProvider() *schema.Provider {
	provider := &schema.Provider{
		Schema: map[string]*schema.Schema{
			"directory": {Type: schema.TypeString, Required: true, Description: "Directory of the files."},
			"region": {
				Type:        schema.TypeString,
				Optional:    true,
				DefaultFunc: schema.EnvDefaultFunc("SDKV2_REGION", "eu"),
			},
			"retries": {Type: schema.TypeInt, Optional: true, Default: 3, Deprecated: "The provider ignores it."},
			"endpoint": {
				Type:     schema.TypeList,
				Optional: true,
				MaxItems: 1,
				Elem: &schema.Resource{Schema: map[string]*schema.Schema{
					"url": {Type: schema.TypeString, Required: true},
				}},
			},
		},
		ResourcesMap:   map[string]*schema.Resource{"sdkv2_server": serverResource(), "sdkv2_note": noteResource()},
		DataSourcesMap: map[string]*schema.Resource{"sdkv2_servers": serversDataSource()},
	}
	provider.ConfigureContextFunc = func(_ context.Context, data *schema.ResourceData) (any, diag.Diagnostics) {
		region := data.Get("region").(string)
		if region == "nowhere" {
			return nil, diag.Errorf("there is no region nowhere")
		}
		return newStore(data.Get("directory").(string), region, provider.TerraformVersion)
	}
	return provider
}
