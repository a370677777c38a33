// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/opentofu/opentofu/internal/tfdiags"
)

// diagnosticsNotation writes diagnostics of the core: severity, summary, detail, and the two ranges if they are present.
func diagnosticsNotation(all tfdiags.Diagnostics) []any {
	written := []any{}
	for _, one := range all {
		severity := "error"
		if one.Severity() == tfdiags.Warning {
			severity = "warning"
		}
		description := one.Description()
		entry := record{{"severity", severity}, {"summary", description.Summary}, {"detail", description.Detail}}
		source := one.Source()
		if source.Subject != nil {
			entry = append(entry, field{"subject", rangeNotation(*source.Subject)})
		}
		if source.Context != nil {
			entry = append(entry, field{"context", rangeNotation(*source.Context)})
		}
		written = append(written, entry)
	}
	return written
}

func hclDiagnosticsNotation(all hcl.Diagnostics) []any {
	var diags tfdiags.Diagnostics
	return diagnosticsNotation(diags.Append(all))
}

// rangeNotation returns [filename, start, end]; a position is [line, column, byte].
func rangeNotation(at tfdiags.SourceRange) any {
	position := func(p tfdiags.SourcePos) any { return []any{p.Line, p.Column, p.Byte} }
	return []any{at.Filename, position(at.Start), position(at.End)}
}
