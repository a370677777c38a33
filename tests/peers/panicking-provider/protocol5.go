// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// provider5 has the methods that a host must call. Every other method belongs to the embedded nil interface, and panics.
type provider5 struct {
	tfprotov5.ProviderServer
}

func (*provider5) GetProviderSchema(context.Context, *tfprotov5.GetProviderSchemaRequest) (*tfprotov5.GetProviderSchemaResponse, error) {
	return &tfprotov5.GetProviderSchemaResponse{
		Provider: &tfprotov5.Schema{Block: &tfprotov5.SchemaBlock{}},
		Functions: map[string]*tfprotov5.Function{
			"shout": {
				Parameters: []*tfprotov5.FunctionParameter{{Name: "text", Type: tftypes.String}},
				Return:     &tfprotov5.FunctionReturn{Type: tftypes.String},
			},
		},
	}, nil
}

func (*provider5) GetFunctions(context.Context, *tfprotov5.GetFunctionsRequest) (*tfprotov5.GetFunctionsResponse, error) {
	panic("GetFunctions is not implemented")
}

func (*provider5) PrepareProviderConfig(_ context.Context, request *tfprotov5.PrepareProviderConfigRequest) (*tfprotov5.PrepareProviderConfigResponse, error) {
	return &tfprotov5.PrepareProviderConfigResponse{PreparedConfig: request.Config}, nil
}

func (*provider5) ConfigureProvider(context.Context, *tfprotov5.ConfigureProviderRequest) (*tfprotov5.ConfigureProviderResponse, error) {
	return &tfprotov5.ConfigureProviderResponse{}, nil
}

func (*provider5) StopProvider(context.Context, *tfprotov5.StopProviderRequest) (*tfprotov5.StopProviderResponse, error) {
	return &tfprotov5.StopProviderResponse{}, nil
}

func (*provider5) CallFunction(_ context.Context, request *tfprotov5.CallFunctionRequest) (*tfprotov5.CallFunctionResponse, error) {
	argument, err := request.Arguments[0].Unmarshal(tftypes.String)
	if err != nil {
		return nil, err
	}
	var text string
	if err := argument.As(&text); err != nil {
		return nil, err
	}
	result, err := tfprotov5.NewDynamicValue(tftypes.String, tftypes.NewValue(tftypes.String, strings.ToUpper(text)))
	if err != nil {
		return nil, err
	}
	return &tfprotov5.CallFunctionResponse{Result: &result}, nil
}
