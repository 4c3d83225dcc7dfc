package redact

import "strings"

// minEnvironment is the length in bytes of the shortest value that [EnvironmentSecrets] returns: a variable whose name
// is that of a secret may hold a word such as "true", which occurs in texts everywhere.
const minEnvironment = 8

// EnvironmentSecrets returns the values of the variables, given as NAME=value, whose names are names of secrets.
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
