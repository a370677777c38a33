// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// provider6 has the methods that a host must call. Every other method belongs to the embedded nil interface, and panics.
type provider6 struct {
	tfprotov6.ProviderServer
}

func (*provider6) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	return &tfprotov6.GetProviderSchemaResponse{
		Provider: &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{}},
		Functions: map[string]*tfprotov6.Function{
			"shout": {
				Parameters: []*tfprotov6.FunctionParameter{{Name: "text", Type: tftypes.String}},
				Return:     &tfprotov6.FunctionReturn{Type: tftypes.String},
			},
		},
	}, nil
}

func (*provider6) GetFunctions(context.Context, *tfprotov6.GetFunctionsRequest) (*tfprotov6.GetFunctionsResponse, error) {
	panic("GetFunctions is not implemented")
}

func (*provider6) ValidateProviderConfig(_ context.Context, request *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return &tfprotov6.ValidateProviderConfigResponse{PreparedConfig: request.Config}, nil
}

func (*provider6) ConfigureProvider(context.Context, *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	return &tfprotov6.ConfigureProviderResponse{}, nil
}

func (*provider6) StopProvider(context.Context, *tfprotov6.StopProviderRequest) (*tfprotov6.StopProviderResponse, error) {
	return &tfprotov6.StopProviderResponse{}, nil
}

func (*provider6) CallFunction(_ context.Context, request *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	argument, err := request.Arguments[0].Unmarshal(tftypes.String)
	if err != nil {
		return nil, err
	}
	var text string
	if err := argument.As(&text); err != nil {
		return nil, err
	}
	result, err := tfprotov6.NewDynamicValue(tftypes.String, tftypes.NewValue(tftypes.String, strings.ToUpper(text)))
	if err != nil {
		return nil, err
	}
	return &tfprotov6.CallFunctionResponse{Result: &result}, nil
}
