// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
)

// noteResource has no update: every change replaces it.
func noteResource() *schema.Resource {
	return &schema.Resource{
		Schema: map[string]*schema.Schema{
			"text": {Type: schema.TypeString, Required: true, ForceNew: true},
			"secret": {
				Type:      schema.TypeString,
				Optional:  true,
				ForceNew:  true,
				Sensitive: true,
			},
		},
		CreateContext: func(_ context.Context, data *schema.ResourceData, meta any) diag.Diagnostics {
			data.SetId("note-" + data.Get("text").(string))
			return diag.FromErr(meta.(*store).write(data.Id(), map[string]any{"text": data.Get("text"), "secret": data.Get("secret")}))
		},
		ReadContext: func(_ context.Context, data *schema.ResourceData, meta any) diag.Diagnostics {
			object, err := meta.(*store).read(data.Id())
			if object == nil {
				data.SetId("")
				return diag.FromErr(err)
			}
			return diag.FromErr(data.Set("text", object["text"]))
		},
		DeleteContext: func(_ context.Context, data *schema.ResourceData, meta any) diag.Diagnostics {
			return diag.FromErr(meta.(*store).remove(data.Id()))
		},
	}
}

func serversDataSource() *schema.Resource {
	return &schema.Resource{
		Schema: map[string]*schema.Schema{
			"ids":  {Type: schema.TypeList, Computed: true, Elem: &schema.Schema{Type: schema.TypeString}},
			"core": {Type: schema.TypeString, Computed: true},
		},
		ReadContext: func(_ context.Context, data *schema.ResourceData, meta any) diag.Diagnostics {
			ids, err := meta.(*store).ids()
			if err != nil {
				return diag.FromErr(err)
			}
			data.SetId("servers")
			if err := data.Set("core", meta.(*store).core); err != nil {
				return diag.FromErr(err)
			}
			return diag.FromErr(data.Set("ids", ids))
		},
	}
}
