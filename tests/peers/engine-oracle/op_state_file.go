// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"strings"

	"github.com/opentofu/opentofu/internal/encryption"
	"github.com/opentofu/opentofu/internal/states/statefile"
	"github.com/opentofu/opentofu/internal/tfdiags"
)

// "statefile.rewrite" reads a state file and writes it again: {"text": …, "diagnostics": […]}, the text in the compact layout, or
// only the diagnostics if the file cannot be read.
func init() {
	define("statefile.rewrite", func(args []any) (any, error) {
		file, err := statefile.Read(strings.NewReader(args[0].(string)), encryption.StateEncryptionDisabled())
		var diags tfdiags.Diagnostics
		if unusable, is := err.(*statefile.ErrUnusableState); is {
			err = unusable.Unwrap()
		}
		if err != nil {
			diags = diags.Append(err)
		}
		if file == nil || diags.HasErrors() {
			return record{{"diagnostics", diagnosticsNotation(diags)}}, nil
		}
		var out bytes.Buffer
		if err := statefile.Write(file, &out, encryption.StateEncryptionDisabled()); err != nil {
			return nil, err
		}
		return record{{"text", out.String()}, {"diagnostics", diagnosticsNotation(diags)}}, nil
	}, aString)
}
