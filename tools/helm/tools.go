//go:build tools

// Package tools names the program that setup builds, so that go.mod and go.sum keep what it needs.
package tools

import _ "helm.sh/helm/v3/cmd/helm"
