// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"math/big"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

func (p *bareProvider) ValidateListResourceConfig(context.Context, *tfprotov6.ValidateListResourceConfigRequest) (*tfprotov6.ValidateListResourceConfigResponse, error) {
	return &tfprotov6.ValidateListResourceConfigResponse{}, nil
}

// ListResource generates notes that do not exist: as many as configured, or an endless list. At the end of the list it logs the number
// of generated notes, and whether the client cancelled the call.
func (p *bareProvider) ListResource(ctx context.Context, request *tfprotov6.ListResourceRequest) (*tfprotov6.ListResourceServerStream, error) {
	count, size, err := listConfig(request.Config)
	if err != nil {
		return nil, err
	}
	body := strings.Repeat("x", int(size))
	return &tfprotov6.ListResourceServerStream{Results: func(yield func(tfprotov6.ListResourceResult) bool) {
		generated := int64(0)
		for ctx.Err() == nil && (count == 0 || generated < count) {
			result := noteResult(generated, body)
			generated++
			if !yield(result) {
				break
			}
		}
		p.logger.Info("the list is over", "generated", generated, "cancelled", ctx.Err() != nil)
	}}, nil
}

// listConfig reads a configuration of listSchema; zero stands for an absent setting.
func listConfig(config *tfprotov6.DynamicValue) (count, size int64, err error) {
	value, err := config.Unmarshal(listSchema().ValueType())
	if err != nil {
		return 0, 0, err
	}
	members := map[string]tftypes.Value{}
	if err := value.As(&members); err != nil {
		return 0, 0, err
	}
	if count, err = integerOf(members["count"]); err != nil {
		return 0, 0, err
	}
	size, err = integerOf(members["size"])
	return count, size, err
}

func integerOf(value tftypes.Value) (int64, error) {
	if value.IsNull() {
		return 0, nil
	}
	number := new(big.Float)
	if err := value.As(&number); err != nil {
		return 0, err
	}
	whole, _ := number.Int64()
	return whole, nil
}

var (
	noteValueType     = noteSchema().ValueType()
	identityValueType = noteIdentity().ValueType()
)

func noteResult(number int64, body string) tfprotov6.ListResourceResult {
	id := tftypes.NewValue(tftypes.String, fmt.Sprintf("note-%d", number))
	result := tfprotov6.ListResourceResult{DisplayName: fmt.Sprintf("Note %d", number)}
	identity, err := tfprotov6.NewDynamicValue(identityValueType, tftypes.NewValue(identityValueType, map[string]tftypes.Value{"id": id}))
	if err != nil {
		panic(err)
	}
	resource, err := tfprotov6.NewDynamicValue(noteValueType, tftypes.NewValue(noteValueType, map[string]tftypes.Value{
		"id":       id,
		"title":    tftypes.NewValue(tftypes.String, result.DisplayName),
		"body":     tftypes.NewValue(tftypes.String, body),
		"tags":     tftypes.NewValue(textMap, nil),
		"pinned":   tftypes.NewValue(tftypes.Bool, false),
		"priority": tftypes.NewValue(tftypes.Number, 0),
		"revision": tftypes.NewValue(tftypes.Number, number),
	}))
	if err != nil {
		panic(err)
	}
	result.Identity = &tfprotov6.ResourceIdentityData{IdentityData: &identity}
	result.Resource = &resource
	return result
}
