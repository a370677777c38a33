// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// trouble is a resource whose mode selects how its creation fails.
type trouble struct {
	files *store
}

var _ resource.ResourceWithConfigure = &trouble{}

const troubleType = "framework_trouble"

type troubleModel struct {
	ID      types.String  `tfsdk:"id"`
	Name    types.String  `tfsdk:"name"`
	Mode    types.String  `tfsdk:"mode"`
	Seconds types.Float64 `tfsdk:"seconds"`
	Result  types.String  `tfsdk:"result"`
}

var troubleSchema = schema.Schema{
	Attributes: map[string]schema.Attribute{
		"id":   schema.StringAttribute{Computed: true, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()}},
		"name": schema.StringAttribute{Required: true, Validators: []validator.String{lengthBetween(1, 64)}},
		"mode": schema.StringAttribute{
			Required:      true,
			PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
			Validators:    []validator.String{oneOf(slices.Sorted(maps.Keys(troubles))...)},
		},
		"seconds": schema.Float64Attribute{Optional: true, Description: "Duration of the mode slow; 1 if not set."},
		"result":  schema.StringAttribute{Computed: true, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()}},
	},
}

// oneMebibyte in lines: more than the buffers of all pipes and channels on the way, so that the provider blocks unless the host reads it.
var oneMebibyte = slices.Repeat([]string{strings.Repeat("x", 1023)}, 1024)

// troubles by mode. If a function adds no error, Create saves the object.
var troubles = map[string]func(ctx context.Context, model *troubleModel, diagnostics *diag.Diagnostics){
	"none": func(context.Context, *troubleModel, *diag.Diagnostics) {},
	// Fails before it creates anything: the response has no state.
	"error": func(_ context.Context, _ *troubleModel, diagnostics *diag.Diagnostics) {
		diagnostics.AddAttributeError(path.Root("mode"), "Creation Failed", "Nothing was created.")
	},
	// Fails after it created the object: the host must save the state of the failed response, and taint it. See Create.
	"half": func(context.Context, *troubleModel, *diag.Diagnostics) {},
	// The process panics and prints the reason.
	"panic": func(context.Context, *troubleModel, *diag.Diagnostics) { panic("trouble asked for") },
	// The process exits without any output.
	"exit": func(context.Context, *troubleModel, *diag.Diagnostics) { os.Exit(3) },
	// Ends only when StopProvider, or the caller, cancels the call.
	"hang": func(ctx context.Context, _ *troubleModel, diagnostics *diag.Diagnostics) {
		<-ctx.Done()
		diagnostics.AddError("Creation Stopped", "stopped")
	},
	// Blocks on its own output unless the host reads the plugin's stdout stream.
	"stdout": func(context.Context, *troubleModel, *diag.Diagnostics) {
		for _, line := range oneMebibyte {
			fmt.Println(line)
		}
	},
	// The same for the standard error pipe, which carries the log.
	"stderr": func(context.Context, *troubleModel, *diag.Diagnostics) {
		for _, line := range oneMebibyte {
			log.Println(line)
		}
	},
	"warn": func(_ context.Context, _ *troubleModel, diagnostics *diag.Diagnostics) {
		diagnostics.AddAttributeWarning(path.Root("mode"), "Created With A Warning", "It works, but look at this.")
	},
	// Returns an invalid response: after an apply every value must be known.
	"unknown": func(_ context.Context, model *troubleModel, _ *diag.Diagnostics) {
		model.Result = types.StringUnknown()
	},
	// Takes as long as configured, and ends early when the call is cancelled.
	"slow": func(ctx context.Context, model *troubleModel, diagnostics *diag.Diagnostics) {
		seconds := 1.0
		if !model.Seconds.IsNull() {
			seconds = model.Seconds.ValueFloat64()
		}
		select {
		case <-time.After(time.Duration(seconds * float64(time.Second))):
		case <-ctx.Done():
			diagnostics.AddError("Creation Stopped", "stopped")
		}
	},
}

func (r *trouble) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = troubleType
}

func (r *trouble) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = troubleSchema
}

func (r *trouble) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.files = storeOf(req.ProviderData, &resp.Diagnostics)
}

func (r *trouble) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var model troubleModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	mode := model.Mode.ValueString()
	model.ID = types.StringValue("trouble-" + hash(model.Name.ValueString())[:8])
	model.Result = types.StringValue("survived " + mode)
	troubles[mode](ctx, &model, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	r.save(ctx, model, &resp.State, &resp.Diagnostics)
	if mode == "half" {
		resp.Diagnostics.AddError("Creation Half Done", "The object exists, but is not complete.")
	}
}

func (r *trouble) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var id types.String
	resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root("id"), &id)...)
	if resp.Diagnostics.HasError() {
		return
	}
	found, err := r.files.read(id.ValueString())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		resp.State.RemoveResource(ctx)
	case err != nil:
		resp.Diagnostics.AddError("Unreadable Object", err.Error())
	default:
		if state, err := found.decode(req.State.Raw.Type()); err != nil {
			resp.Diagnostics.AddError("Unreadable Object", err.Error())
		} else {
			resp.State.Raw = state
		}
	}
}

// Update handles a change of the name or of the seconds, and never fails on purpose.
func (r *trouble) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var model troubleModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &model)...)
	if !resp.Diagnostics.HasError() {
		r.save(ctx, model, &resp.State, &resp.Diagnostics)
	}
}

func (r *trouble) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var id types.String
	resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root("id"), &id)...)
	if err := r.files.remove(id.ValueString()); err != nil {
		resp.Diagnostics.AddError("Object Not Deleted", err.Error())
	}
}

// save writes the file and the state; an unknown result is omitted from the file only.
func (r *trouble) save(ctx context.Context, model troubleModel, state *tfsdk.State, diagnostics *diag.Diagnostics) {
	diagnostics.Append(state.Set(ctx, model)...)
	if diagnostics.HasError() {
		return
	}
	known, err := tftypes.Transform(state.Raw, func(_ *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		if value.IsKnown() {
			return value, nil
		}
		return tftypes.NewValue(value.Type(), nil), nil
	})
	content := &file{Type: troubleType}
	if err == nil {
		content.State, err = encode(known, known.Type())
	}
	if err == nil {
		err = r.files.write(model.ID.ValueString(), content)
	}
	if err != nil {
		diagnostics.AddError("Object Not Saved", err.Error())
	}
}
