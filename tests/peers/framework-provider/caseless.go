// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// caselessType is a string type with semantic equality: another spelling in a provider's result is no change.
type caselessType struct {
	basetypes.StringType
}

type caselessValue struct {
	basetypes.StringValue
}

var (
	_ basetypes.StringTypable                    = caselessType{}
	_ basetypes.StringValuableWithSemanticEquals = caselessValue{}
)

func (t caselessType) Equal(other attr.Type) bool {
	_, same := other.(caselessType)
	return same
}

func (t caselessType) String() string { return "caselessType" }

func (t caselessType) ValueType(context.Context) attr.Value { return caselessValue{} }

func (t caselessType) ValueFromString(_ context.Context, text basetypes.StringValue) (basetypes.StringValuable, diag.Diagnostics) {
	return caselessValue{StringValue: text}, nil
}

func (t caselessType) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	value, err := t.StringType.ValueFromTerraform(ctx, in)
	if err != nil {
		return nil, err
	}
	text, ok := value.(basetypes.StringValue)
	if !ok {
		return nil, fmt.Errorf("expected a string, got %T", value)
	}
	return caselessValue{StringValue: text}, nil
}

func (v caselessValue) Type(context.Context) attr.Type { return caselessType{} }

func (v caselessValue) Equal(other attr.Value) bool {
	same, ok := other.(caselessValue)
	return ok && v.StringValue.Equal(same.StringValue)
}

func (v caselessValue) StringSemanticEquals(_ context.Context, other basetypes.StringValuable) (bool, diag.Diagnostics) {
	text, ok := other.(caselessValue)
	return ok && strings.EqualFold(v.ValueString(), text.ValueString()), nil
}
