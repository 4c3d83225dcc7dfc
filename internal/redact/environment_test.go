package redact

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEnvironmentSecrets(t *testing.T) {
	got := EnvironmentSecrets([]string{"HOME=/home/someone", "API_KEY=k1k2k3k4k5", "ACME_TOKEN=true", "SECRET", "DB_PASSWORD=a=b=c=d=e", "=x"})
	if diff := cmp.Diff([]string{"k1k2k3k4k5", "a=b=c=d=e"}, got); diff != "" {
		t.Errorf("secrets (-want +got):\n%s", diff)
	}
}
