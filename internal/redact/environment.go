package redact

import "strings"

// minEnvironment is the length in bytes of the shortest value that [EnvironmentSecrets] returns. A shorter value, such as "true",
// occurs in texts everywhere.
const minEnvironment = 8

// EnvironmentSecrets returns the values of those variables, given as NAME=value, whose names are names of secrets.
func EnvironmentSecrets(environ []string) []string {
	var secrets []string
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if len(value) >= minEnvironment && shapesOnly.isSecretName(name) {
			secrets = append(secrets, value)
		}
	}
	return secrets
}
