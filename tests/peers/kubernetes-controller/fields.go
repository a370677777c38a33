// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// camelCase returns the name of an attribute's field.
func camelCase(name string) string {
	parts := strings.Split(name, "_")
	for index, part := range parts[1:] {
		if part != "" {
			parts[index+1] = strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return strings.Join(parts, "")
}

// plain returns JSON of the API with the types that encoding/json has.
func plain(data any) any {
	if whole, isWhole := data.(int64); isWhole {
		return float64(whole)
	}
	return data
}

// jsonOf returns an observed value with the fields of the API: nulls are left out, and whole numbers are integers.
func jsonOf(value cty.Value) any {
	switch {
	case value.Type().IsObjectType():
		members := map[string]any{}
		for name, member := range value.AsValueMap() {
			if !member.IsNull() {
				members[camelCase(name)] = jsonOf(member)
			}
		}
		return members
	case value.Type().IsMapType():
		members := map[string]any{}
		for name, member := range value.AsValueMap() {
			members[name] = jsonOf(member)
		}
		return members
	case value.Type() == cty.Number:
		if whole, accuracy := value.AsBigFloat().Int64(); accuracy == 0 {
			return whole
		}
		decimal, _ := value.AsBigFloat().Float64()
		return decimal
	case value.Type() == cty.String:
		return value.AsString()
	case value.Type() == cty.Bool:
		return value.True()
	default:
		elements := []any{}
		for _, element := range value.AsValueSlice() {
			elements = append(elements, jsonOf(element))
		}
		return elements
	}
}
