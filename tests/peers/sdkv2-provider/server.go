// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/go-cty/cty"
	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/customdiff"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/validation"
)

// serverSchema has every feature of such a schema.
func serverSchema() map[string]*schema.Schema {
	return map[string]*schema.Schema{
		"name": {
			Type:         schema.TypeString,
			Required:     true,
			ValidateFunc: validation.StringLenBetween(1, 20),
			// The stored value differs from the configured one, which only the legacy type system permits.
			StateFunc: func(value any) string { return strings.ToLower(value.(string)) },
			DiffSuppressFunc: func(_, before, after string, _ *schema.ResourceData) bool {
				return strings.EqualFold(before, after)
			},
		},
		"image":    {Type: schema.TypeString, Required: true, ForceNew: true},
		"size":     {Type: schema.TypeString, Optional: true, Default: "small", ValidateFunc: validation.StringInSlice([]string{"small", "big"}, false)},
		"cores":    {Type: schema.TypeInt, Optional: true},
		"load":     {Type: schema.TypeFloat, Optional: true},
		"running":  {Type: schema.TypeBool, Optional: true},
		"password": {Type: schema.TypeString, Optional: true, Sensitive: true, ConflictsWith: []string{"key"}},
		"key":      {Type: schema.TypeString, Optional: true, Deprecated: "Use password."},
		"zone":     {Type: schema.TypeString, Optional: true, Computed: true},
		"commands": {Type: schema.TypeList, Optional: true, Elem: &schema.Schema{Type: schema.TypeString}},
		"groups":   {Type: schema.TypeSet, Optional: true, Elem: &schema.Schema{Type: schema.TypeString}, Set: schema.HashString},
		"labels":   {Type: schema.TypeMap, Optional: true, Elem: &schema.Schema{Type: schema.TypeString}},
		"address":  {Type: schema.TypeString, Computed: true},
		"revision": {Type: schema.TypeInt, Computed: true},
		"disk": {
			Type:     schema.TypeList,
			Optional: true,
			MaxItems: 3,
			Elem: &schema.Resource{Schema: map[string]*schema.Schema{
				"gigabytes": {Type: schema.TypeInt, Required: true},
				"kind":      {Type: schema.TypeString, Optional: true, Default: "ssd"},
				"device":    {Type: schema.TypeString, Computed: true},
				"mount": {
					Type:     schema.TypeSet,
					Optional: true,
					Elem: &schema.Resource{Schema: map[string]*schema.Schema{
						"path":     {Type: schema.TypeString, Required: true},
						"readonly": {Type: schema.TypeBool, Optional: true},
					}},
				},
			}},
		},
		"rule": {
			Type:     schema.TypeSet,
			Optional: true,
			Elem: &schema.Resource{Schema: map[string]*schema.Schema{
				"port":     {Type: schema.TypeInt, Required: true},
				"protocol": {Type: schema.TypeString, Optional: true, Default: "tcp"},
			}},
		},
		"contact": {
			Type:     schema.TypeList,
			Optional: true,
			MaxItems: 1,
			Elem: &schema.Resource{Schema: map[string]*schema.Schema{
				"mail": {Type: schema.TypeString, Required: true},
			}},
		},
		// An attribute that is configured as blocks: only this library has this mode.
		"route": {
			Type:       schema.TypeList,
			Optional:   true,
			Computed:   true,
			ConfigMode: schema.SchemaConfigModeAttr,
			Elem: &schema.Resource{Schema: map[string]*schema.Schema{
				"to": {Type: schema.TypeString, Optional: true},
			}},
		},
	}
}

func serverResource() *schema.Resource {
	return &schema.Resource{
		Description:   "A server.",
		Schema:        serverSchema(),
		SchemaVersion: 2,
		StateUpgraders: []schema.StateUpgrader{
			{Version: 0, Type: serverV0().CoreConfigSchema().ImpliedType(), Upgrade: upgradeServerV0},
			{Version: 1, Type: serverV1().CoreConfigSchema().ImpliedType(), Upgrade: upgradeServerV1},
		},
		Timeouts: &schema.ResourceTimeout{
			Create: schema.DefaultTimeout(time.Minute),
			Delete: schema.DefaultTimeout(10 * time.Second),
		},
		Importer:      &schema.ResourceImporter{StateContext: importServer},
		CustomizeDiff: customdiff.All(customdiff.ForceNewIfChange("size", shrinks), customdiff.ComputedIf("address", addressChanges)),
		CreateContext: createServer,
		ReadContext:   readServer,
		UpdateContext: updateServer,
		DeleteContext: deleteServer,
	}
}

func shrinks(_ context.Context, before, after, _ any) bool {
	return before == "big" && after == "small"
}

func addressChanges(_ context.Context, change *schema.ResourceDiff, _ any) bool {
	return change.HasChange("zone")
}

func importServer(_ context.Context, data *schema.ResourceData, _ any) ([]*schema.ResourceData, error) {
	if strings.Contains(data.Id(), "/") {
		return nil, fmt.Errorf("an id must not contain slashes: %s", data.Id())
	}
	return []*schema.ResourceData{data}, nil
}

// storedAttributes are the attributes that are stored in the object's file.
var storedAttributes = []string{"name", "image", "size", "cores", "load", "running", "password", "key", "commands", "labels", "contact"}

func save(data *schema.ResourceData, meta any, revision int) error {
	object := map[string]any{"revision": revision, "region": meta.(*store).region}
	for _, name := range storedAttributes {
		object[name] = data.Get(name)
	}
	object["groups"] = data.Get("groups").(*schema.Set).List()
	object["rule"] = data.Get("rule").(*schema.Set).List()
	disks := []any{}
	for index, disk := range data.Get("disk").([]any) {
		one := disk.(map[string]any)
		one["device"] = fmt.Sprintf("/dev/sd%c", 'a'+index)
		one["mount"] = one["mount"].(*schema.Set).List()
		disks = append(disks, one)
	}
	object["disk"] = disks
	object["route"] = data.Get("route")
	object["zone"] = data.Get("zone")
	if object["zone"] == "" {
		object["zone"] = meta.(*store).region + "-1"
	}
	object["address"] = fmt.Sprintf("10.0.0.%d (%s)", len(data.Id()), object["zone"])
	return meta.(*store).write(data.Id(), object)
}

func createServer(ctx context.Context, data *schema.ResourceData, meta any) diag.Diagnostics {
	data.SetId("server-" + strings.ToLower(data.Get("name").(string)))
	if data.Get("image") == "slow" {
		// The library itself cancels the context after the timeout.
		<-ctx.Done()
		if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return diag.FromErr(ctx.Err())
		}
		data.SetId("")
		return diag.Errorf("it took longer than %s", data.Timeout(schema.TimeoutCreate))
	}
	if err := save(data, meta, 1); err != nil {
		return diag.FromErr(err)
	}
	if data.Get("image") == "half" {
		return diag.Diagnostics{{Severity: diag.Error, Summary: "it does not boot", AttributePath: cty.GetAttrPath("image")}}
	}
	found := readServer(ctx, data, meta)
	if data.Get("key") != "" {
		found = append(found, diag.Diagnostic{Severity: diag.Warning, Summary: "Keys are weak", AttributePath: cty.GetAttrPath("key")})
	}
	return found
}

func readServer(_ context.Context, data *schema.ResourceData, meta any) diag.Diagnostics {
	object, err := meta.(*store).read(data.Id())
	if err != nil {
		return diag.FromErr(err)
	}
	if object == nil {
		data.SetId("")
		return nil
	}
	delete(object, "region")
	var failed []error
	for name, value := range object {
		failed = append(failed, data.Set(name, value))
	}
	return diag.FromErr(errors.Join(failed...))
}

func updateServer(ctx context.Context, data *schema.ResourceData, meta any) diag.Diagnostics {
	if data.Get("size") == "big" && data.Get("cores") == 13 {
		// The new state keeps the prior values.
		data.Partial(true)
		return diag.Errorf("there is no such machine")
	}
	if err := save(data, meta, data.Get("revision").(int)+1); err != nil {
		return diag.FromErr(err)
	}
	return readServer(ctx, data, meta)
}

func deleteServer(_ context.Context, data *schema.ResourceData, meta any) diag.Diagnostics {
	return diag.FromErr(meta.(*store).remove(data.Id()))
}
