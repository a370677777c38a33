// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/opentofu/opentofu/internal/addrs"
	"github.com/opentofu/opentofu/internal/tfdiags"
)

// addressResult returns the text of an address and its diagnostics; an invalid address has diagnostics only.
func addressResult(text string, diags tfdiags.Diagnostics) any {
	if diags.HasErrors() {
		return record{{"diagnostics", diagnosticsNotation(diags)}}
	}
	return record{{"text", text}, {"diagnostics", diagnosticsNotation(diags)}}
}

// traversal parses the text as a traversal and passes it to read, unless the syntax is invalid.
func traversal(text string, read func(hcl.Traversal) (string, tfdiags.Diagnostics)) any {
	steps, problems := hclsyntax.ParseTraversalAbs([]byte(text), "", hcl.InitialPos)
	if problems.HasErrors() {
		return addressResult("", tfdiags.Diagnostics{}.Append(problems))
	}
	return addressResult(read(steps))
}

// resourceOrder compares two resource instances: -1, 0 or 1.
func resourceOrder(a, b addrs.AbsResourceInstance) int {
	switch {
	case a.Less(b):
		return -1
	case b.Less(a):
		return 1
	default:
		return 0
	}
}

func init() {
	one("address.target", aString, func(text string) any {
		return traversal(text, func(steps hcl.Traversal) (string, tfdiags.Diagnostics) {
			target, diags := addrs.ParseTarget(steps)
			return target.String(), diags
		})
	})
	one("address.resource", aString, func(text string) any {
		return traversal(text, func(steps hcl.Traversal) (string, tfdiags.Diagnostics) {
			address, diags := addrs.ParseAbsResource(steps)
			return address.String(), diags
		})
	})
	one("address.resourceInstance", aString, func(text string) any {
		return traversal(text, func(steps hcl.Traversal) (string, tfdiags.Diagnostics) {
			address, diags := addrs.ParseAbsResourceInstance(steps)
			return address.String(), diags
		})
	})
	one("address.configResource", aString, func(text string) any {
		return traversal(text, func(steps hcl.Traversal) (string, tfdiags.Diagnostics) {
			address, diags := addrs.ParseConfigResource(steps)
			return address.String(), diags
		})
	})
	one("address.moduleInstance", aString, func(text string) any {
		return traversal(text, func(steps hcl.Traversal) (string, tfdiags.Diagnostics) {
			address, diags := addrs.ParseModuleInstance(steps)
			return address.String(), diags
		})
	})
	one("address.providerConfig", aString, func(text string) any {
		return traversal(text, func(steps hcl.Traversal) (string, tfdiags.Diagnostics) {
			address, key, diags := addrs.ParseAbsProviderConfigInstance(steps)
			if diags.HasErrors() {
				return "", diags
			}
			return address.InstanceString(key), diags
		})
	})
	one("address.legacyProviderConfig", aString, func(text string) any {
		return traversal(text, func(steps hcl.Traversal) (string, tfdiags.Diagnostics) {
			address, diags := addrs.ParseLegacyAbsProviderConfig(steps)
			if diags.HasErrors() {
				return "", diags
			}
			return address.String(), diags
		})
	})
	one("address.moveEndpoint", aString, func(text string) any {
		return traversal(text, func(steps hcl.Traversal) (string, tfdiags.Diagnostics) {
			endpoint, diags := addrs.ParseMoveEndpoint(steps)
			if diags.HasErrors() {
				return "", diags
			}
			return endpoint.String(), diags
		})
	})
	one("address.removeEndpoint", aString, func(text string) any {
		return traversal(text, func(steps hcl.Traversal) (string, tfdiags.Diagnostics) {
			endpoint, diags := addrs.ParseRemoveEndpoint(steps)
			if diags.HasErrors() {
				return "", diags
			}
			return fmt.Sprint(endpoint.RelSubject), diags
		})
	})
	one("address.reference", aString, func(text string) any {
		return traversal(text, func(steps hcl.Traversal) (string, tfdiags.Diagnostics) {
			reference, diags := addrs.ParseRef(steps)
			if diags.HasErrors() {
				return "", diags
			}
			return fmt.Sprintf("%s | %s", fmt.Sprint(reference.Subject), reference.DisplayString()), diags
		})
	})
	one("address.provider", aString, func(text string) any {
		provider, diags := addrs.ParseProviderSourceString(text)
		if diags.HasErrors() {
			return addressResult("", diags)
		}
		return addressResult(provider.String()+" | "+provider.ForDisplay(), diags)
	})
	two("address.order", aString, aString, func(a, b string) any {
		left, diags := addrs.ParseAbsResourceInstanceStr(a)
		right, moreDiags := addrs.ParseAbsResourceInstanceStr(b)
		if diags.HasErrors() || moreDiags.HasErrors() {
			refuse("expected addresses of resource instances")
		}
		return resourceOrder(left, right)
	})
}
