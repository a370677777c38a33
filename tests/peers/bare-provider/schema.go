// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// The two resources of benchmarks/measured-provider, by their types.
const (
	noteType   = "bench_note"
	wideType   = "bench_wide60"
	largeType  = "bench_large_%05d"
	largeBytes = 16 << 10
)

var (
	texts   = tftypes.List{ElementType: tftypes.String}
	textMap = tftypes.Map{ElementType: tftypes.String}
)

func noteSchema() *tfprotov6.Schema {
	return schemaOf(
		&tfprotov6.SchemaAttribute{Name: "id", Type: tftypes.String, Computed: true},
		&tfprotov6.SchemaAttribute{Name: "title", Type: tftypes.String, Required: true},
		&tfprotov6.SchemaAttribute{Name: "body", Type: tftypes.String, Optional: true},
		&tfprotov6.SchemaAttribute{Name: "tags", Type: textMap, Optional: true},
		&tfprotov6.SchemaAttribute{Name: "pinned", Type: tftypes.Bool, Optional: true, Computed: true},
		&tfprotov6.SchemaAttribute{Name: "priority", Type: tftypes.Number, Optional: true, Computed: true},
		&tfprotov6.SchemaAttribute{Name: "revision", Type: tftypes.Number, Computed: true},
	)
}

func wideSchema() *tfprotov6.Schema {
	var attributes []*tfprotov6.SchemaAttribute
	for _, kind := range []struct {
		prefix   string
		count    int
		of       tftypes.Type
		optional bool
		computed bool
	}{
		{"text", 20, tftypes.String, true, false},
		{"default", 10, tftypes.String, true, true},
		{"known", 10, tftypes.String, false, true},
		{"count", 10, tftypes.Number, true, false},
		{"flag", 5, tftypes.Bool, true, false},
		{"list", 3, texts, true, false},
		{"map", 2, textMap, true, false},
	} {
		for number := range kind.count {
			attributes = append(attributes, &tfprotov6.SchemaAttribute{
				Name: fmt.Sprintf("%s_%02d", kind.prefix, number), Type: kind.of, Optional: kind.optional, Computed: kind.computed,
			})
		}
	}
	return schemaOf(attributes...)
}

// largeSchema is the schema of a resource with a very long description.
func largeSchema() *tfprotov6.Schema {
	words := strings.Repeat("Some text in a description. ", largeBytes/28)
	return schemaOf(
		&tfprotov6.SchemaAttribute{Name: "id", Type: tftypes.String, Computed: true},
		&tfprotov6.SchemaAttribute{Name: "text", Type: tftypes.String, Optional: true, Description: words},
	)
}

// listSchema is the configuration of a list: the number of results, and the size of each result's body in bytes.
func listSchema() *tfprotov6.Schema {
	return schemaOf(
		&tfprotov6.SchemaAttribute{Name: "count", Type: tftypes.Number, Optional: true},
		&tfprotov6.SchemaAttribute{Name: "size", Type: tftypes.Number, Optional: true},
	)
}

func schemaOf(attributes ...*tfprotov6.SchemaAttribute) *tfprotov6.Schema {
	slices.SortFunc(attributes, func(one, other *tfprotov6.SchemaAttribute) int { return strings.Compare(one.Name, other.Name) })
	return &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{Attributes: attributes}}
}

func noteIdentity() *tfprotov6.ResourceIdentitySchema {
	return &tfprotov6.ResourceIdentitySchema{IdentityAttributes: []*tfprotov6.ResourceIdentitySchemaAttribute{
		{Name: "id", Type: tftypes.String, RequiredForImport: true},
	}}
}

func schemasWith(large int) *tfprotov6.GetProviderSchemaResponse {
	resources := map[string]*tfprotov6.Schema{noteType: noteSchema(), wideType: wideSchema()}
	for number := range large {
		resources[fmt.Sprintf(largeType, number)] = largeSchema()
	}
	return &tfprotov6.GetProviderSchemaResponse{
		Provider:            schemaOf(),
		ResourceSchemas:     resources,
		ListResourceSchemas: map[string]*tfprotov6.Schema{noteType: listSchema()},
		ServerCapabilities:  &tfprotov6.ServerCapabilities{GetProviderSchemaOptional: true},
	}
}
