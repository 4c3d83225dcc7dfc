package redact

import (
	"slices"
	"testing"
)

func TestEnvironmentSecrets(t *testing.T) {
	got := EnvironmentSecrets([]string{"HOME=/home/someone", "API_KEY=k1k2k3k4k5", "ACME_TOKEN=true", "SECRET", "DB_PASSWORD=a=b=c=d=e", "=x"})
	if want := []string{"k1k2k3k4k5", "a=b=c=d=e"}; !slices.Equal(got, want) {
		t.Errorf("secrets: got %q, want %q", got, want)
	}
}
