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

// store is the remote system: a directory with a file `<prefix><id>.json` for each object.
type store struct {
	directory        string
	prefix           string
	terraformVersion string
}

// file is the content of a file on disk. State has the JSON format that a core uses in its state file.
type file struct {
	// Type is the resource type that last wrote the file.
	Type  string          `json:"type"`
	State json.RawMessage `json:"state"`
	// PasswordSha256 shows that a write-only value arrived, which no state contains.
	PasswordSha256 string `json:"password_sha256,omitempty"`
	// Module is the provider_meta of the last call that wrote the file.
	Module string `json:"module,omitempty"`
	// TerraformVersion is the version that the host sent when it configured the provider.
	TerraformVersion string `json:"terraform_version,omitempty"`
	// Touched counts the invocations of the action.
	Touched int64 `json:"touched,omitempty"`
}

var errNotConfigured = errors.New("the provider is not configured")

func (s *store) path(id string) string {
	return filepath.Join(s.directory, s.prefix+id+".json")
}

// read returns fs.ErrNotExist for an object that does not exist.
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

// write replaces a file in one step, so that a call that reads it at the same time never reads a partial file.
func (s *store) write(id string, content *file) error {
	if s == nil {
		return errNotConfigured
	}
	content.TerraformVersion = s.terraformVersion
	text, err := json.MarshalIndent(content, "", "  ")
	if err != nil {
		return err
	}
	out, err := os.CreateTemp(s.directory, s.prefix+id+".*.tmp")
	if err != nil {
		return err
	}
	_, err = out.Write(append(text, '\n'))
	if err = errors.Join(err, out.Close()); err == nil {
		err = os.Rename(out.Name(), s.path(id))
	}
	if err != nil {
		return errors.Join(err, os.Remove(out.Name()))
	}
	return nil
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

// ids returns the ids of all objects, sorted.
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

// appendLine appends a line to a text file, so that a test can see that a call was made.
func (s *store) appendLine(name, line string) error {
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

// decode decodes the state in a file as a type; it ignores unknown members, and members that the file lacks are null.
func (f *file) decode(target tftypes.Type) (tftypes.Value, error) {
	return tftypes.ValueFromJSONWithOpts(f.State, target, tftypes.ValueFromJSONOpts{IgnoreUndefinedAttributes: true})
}

// storeOf returns the store in a Configure method; data is nil during validation, before the provider is configured.
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
