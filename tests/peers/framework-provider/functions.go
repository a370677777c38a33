// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// joinFunction has a variadic parameter: join(separator, parts...).
type joinFunction struct{}

func (joinFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "join"
}

func (joinFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary:             "Joins texts",
		MarkdownDescription: "Puts a separator between any number of texts.",
		Parameters:          []function.Parameter{function.StringParameter{Name: "separator"}},
		VariadicParameter:   function.StringParameter{Name: "parts"},
		Return:              function.StringReturn{},
	}
}

func (joinFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var separator string
	var parts []string
	if resp.Error = req.Arguments.Get(ctx, &separator, &parts); resp.Error == nil {
		resp.Error = resp.Result.Set(ctx, strings.Join(parts, separator))
	}
}

// describeFunction has an object parameter and a nullable parameter.
type describeFunction struct{}

type describedThing struct {
	Name string `tfsdk:"name"`
	Size int64  `tfsdk:"size"`
}

func (describeFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "describe"
}

func (describeFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Describes a thing",
		Parameters: []function.Parameter{
			function.ObjectParameter{Name: "thing", AttributeTypes: map[string]attr.Type{"name": types.StringType, "size": types.Int64Type}},
			function.StringParameter{Name: "remark", AllowNullValue: true},
		},
		Return: function.StringReturn{},
	}
}

func (describeFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var thing describedThing
	var remark *string
	if resp.Error = req.Arguments.Get(ctx, &thing, &remark); resp.Error != nil {
		return
	}
	text := fmt.Sprintf("%s of size %d", thing.Name, thing.Size)
	if remark != nil {
		text += " (" + *remark + ")"
	}
	resp.Error = resp.Result.Set(ctx, text)
}

// failFunction fails with the given message, and blames the given argument: fail(message, argument).
type failFunction struct{}

func (failFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "fail"
}

func (failFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Fails",
		Parameters: []function.Parameter{
			function.StringParameter{Name: "message"},
			function.Int64Parameter{Name: "argument", Description: "Index of the argument to blame; below 0 for none."},
		},
		Return:             function.BoolReturn{},
		DeprecationMessage: "Use no function that only fails.",
	}
}

func (failFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var message string
	var argument int64
	if resp.Error = req.Arguments.Get(ctx, &message, &argument); resp.Error != nil {
		return
	}
	if argument < 0 {
		resp.Error = function.NewFuncError(message)
	} else {
		resp.Error = function.NewArgumentFuncError(argument, message)
	}
}

// dynamicFunction returns its argument, of any type, even if it is null or unknown.
type dynamicFunction struct{}

func (dynamicFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "dynamic"
}

func (dynamicFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary:    "Returns its argument",
		Parameters: []function.Parameter{function.DynamicParameter{Name: "value", AllowNullValue: true, AllowUnknownValues: true}},
		Return:     function.DynamicReturn{},
	}
}

func (dynamicFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var value types.Dynamic
	if resp.Error = req.Arguments.Get(ctx, &value); resp.Error == nil {
		resp.Error = resp.Result.Set(ctx, value)
	}
}
