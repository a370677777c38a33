// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"strconv"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
)

// serverV0 is the schema of state that is older than JSON: its numbers are text, and its lists are keys with dots (flatmap).
func serverV0() *schema.Resource {
	return &schema.Resource{Schema: map[string]*schema.Schema{
		"title":    {Type: schema.TypeString, Required: true},
		"image":    {Type: schema.TypeString, Required: true},
		"cores":    {Type: schema.TypeString, Optional: true},
		"commands": {Type: schema.TypeList, Optional: true, Elem: &schema.Schema{Type: schema.TypeString}},
		"labels":   {Type: schema.TypeMap, Optional: true, Elem: &schema.Schema{Type: schema.TypeString}},
	}}
}

func serverV1() *schema.Resource {
	older := serverV0()
	older.Schema["name"] = older.Schema["title"]
	delete(older.Schema, "title")
	return older
}

func upgradeServerV0(_ context.Context, state map[string]any, _ any) (map[string]any, error) {
	state["name"] = state["title"]
	delete(state, "title")
	return state, nil
}

func upgradeServerV1(_ context.Context, state map[string]any, _ any) (map[string]any, error) {
	if text, isText := state["cores"].(string); isText && text != "" {
		cores, err := strconv.Atoi(text)
		if err != nil {
			return nil, err
		}
		state["cores"] = cores
	}
	return state, nil
}
