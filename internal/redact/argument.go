package redact

// IsSecretName reports whether the value of a key or a flag with this name is secret.
func IsSecretName(name string) bool { return shapesOnly.isSecretName(name) }

// StandsForSecret reports whether a value only takes the place of a secret: a mask, a type or another filler (string,
// true), or a reference ($TOKEN, <token>).
func StandsForSecret(value string) bool { return isFiller(value) || isReference(value) }

// LooksSecret reports whether a value is probably a secret: not a word, a number, a path, an address or a reference.
func LooksSecret(value string) bool {
	return looksSecret(value) && !StandsForSecret(value) && !isPath(value)
}
