// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// store is the outside world: a directory with a file `<prefix><id>.json` for each object.
type store struct {
	directory        string
	prefix           string
	terraformVersion string
}

// file is what stands on disk. State has the form a core writes into its own state file.
type file struct {
	// Type is the resource type that wrote the file last.
	Type  string          `json:"type"`
	State json.RawMessage `json:"state"`
	// PasswordSha256 proves that a write-only value arrived, though no state may hold it.
	PasswordSha256 string `json:"password_sha256,omitempty"`
	// Module is the provider_meta of the last call that wrote the file.
	Module string `json:"module,omitempty"`
	// TerraformVersion is what the host called itself when it configured the provider.
	TerraformVersion string `json:"terraform_version,omitempty"`
	// Touched counts the times an action came by.
	Touched int64 `json:"touched,omitempty"`
}

var errNotConfigured = errors.New("the provider is not configured")

func (s *store) path(id string) string {
	return filepath.Join(s.directory, s.prefix+id+".json")
}

// read answers fs.ErrNotExist for an object that is gone.
func (s *store) read(id string) (*file, error) {
	if s == nil {
		return nil, errNotConfigured
	}
	content, err := os.ReadFile(s.path(id))
	if err != nil {
		return nil, err
	}
	found := &file{}
	if err := json.Unmarshal(content, found); err != nil {
		return nil, fmt.Errorf("%s: %w", s.path(id), err)
	}
	return found, nil
}

func (s *store) write(id string, content *file) error {
	if s == nil {
		return errNotConfigured
	}
	content.TerraformVersion = s.terraformVersion
	text, err := json.MarshalIndent(content, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(s.path(id), append(text, '\n'), 0o644)
}

func (s *store) exists(id string) bool {
	_, err := s.read(id)
	return err == nil
}

func (s *store) remove(id string) error {
	if s == nil {
		return errNotConfigured
	}
	if err := os.Remove(s.path(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// ids of all objects, sorted.
func (s *store) ids() ([]string, error) {
	if s == nil {
		return nil, errNotConfigured
	}
	entries, err := os.ReadDir(s.directory)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, entry := range entries {
		id, isJSON := strings.CutSuffix(entry.Name(), ".json")
		if id, ours := strings.CutPrefix(id, s.prefix); isJSON && ours {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// mark leaves a line in a text file, for a test to see that a call was made.
func (s *store) mark(name, line string) error {
	if s == nil {
		return errNotConfigured
	}
	out, err := os.OpenFile(filepath.Join(s.directory, s.prefix+name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, line)
	return errors.Join(err, out.Close())
}

// decode reads the state in a file as a type; what the type does not know is ignored, what the file lacks is null.
func (f *file) decode(target tftypes.Type) (tftypes.Value, error) {
	return tftypes.ValueFromJSONWithOpts(f.State, target, tftypes.ValueFromJSONOpts{IgnoreUndefinedAttributes: true})
}

// storeOf is the first half of every Configure: data is nil during validation, before the provider is configured.
func storeOf(data any, diagnostics *diag.Diagnostics) *store {
	if data == nil {
		return nil
	}
	files, ok := data.(*store)
	if !ok {
		diagnostics.AddError("Unexpected Provider Data", fmt.Sprintf("Expected a *store, got %T.", data))
	}
	return files
}
