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

// trouble is the resource whose creation goes wrong, in the way its mode names.
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
		"seconds": schema.Float64Attribute{Optional: true, Description: "How long mode slow takes; 1 if not set."},
		"result":  schema.StringAttribute{Computed: true, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()}},
	},
}

// oneMebibyte in lines: more than any pipe or channel on the way holds, so that it only gets through if somebody reads.
var oneMebibyte = slices.Repeat([]string{strings.Repeat("x", 1023)}, 1024)

// troubles by mode. What sets no error goes on to save the object.
var troubles = map[string]func(ctx context.Context, model *troubleModel, diagnostics *diag.Diagnostics){
	"none": func(context.Context, *troubleModel, *diag.Diagnostics) {},
	// Fails with nothing made: no state comes back.
	"error": func(_ context.Context, _ *troubleModel, diagnostics *diag.Diagnostics) {
		diagnostics.AddAttributeError(path.Root("mode"), "Creation Failed", "Nothing was made.")
	},
	// Fails after it made something: the state that comes back with the error must be kept, and tainted. See Create.
	"half": func(context.Context, *troubleModel, *diag.Diagnostics) {},
	// The process dies and says why.
	"panic": func(context.Context, *troubleModel, *diag.Diagnostics) { panic("trouble asked for") },
	// The process dies and says nothing.
	"exit": func(context.Context, *troubleModel, *diag.Diagnostics) { os.Exit(3) },
	// Ends only when StopProvider, or the caller, cancels the call.
	"hang": func(ctx context.Context, _ *troubleModel, diagnostics *diag.Diagnostics) {
		<-ctx.Done()
		diagnostics.AddError("Creation Stopped", "stopped")
	},
	// Blocks on its own output unless the host drains the plugin's stdout stream.
	"stdout": func(context.Context, *troubleModel, *diag.Diagnostics) {
		for _, line := range oneMebibyte {
			fmt.Println(line)
		}
	},
	// The same for the pipe that carries the log.
	"stderr": func(context.Context, *troubleModel, *diag.Diagnostics) {
		for _, line := range oneMebibyte {
			log.Println(line)
		}
	},
	"warn": func(_ context.Context, _ *troubleModel, diagnostics *diag.Diagnostics) {
		diagnostics.AddAttributeWarning(path.Root("mode"), "Created With A Warning", "It works, but look at this.")
	},
	// Breaks the contract: after an apply everything must be known.
	"unknown": func(_ context.Context, model *troubleModel, _ *diag.Diagnostics) {
		model.Result = types.StringUnknown()
	},
	// Takes its time, and minds a cancel.
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
		resp.Diagnostics.AddError("Creation Half Done", "The object is there, but it is not right.")
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

// Update only ever sees a new name or another number of seconds, and does no harm.
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

// save writes the file and the state; an unknown result is left out of the file only.
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
