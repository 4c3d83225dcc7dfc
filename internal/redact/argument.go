package redact

// IsSecretName reports whether values under a key, or after a flag, of this name are secret whatever they are.
func IsSecretName(name string) bool { return shapesOnly.isSecretName(name) }

// StandsForSecret reports whether a value is a mask, a word for a value (string, true) or a reference ($TOKEN, <token>), and
// no secret itself.
func StandsForSecret(value string) bool { return isFiller(value) || isReference(value) }

// LooksSecret reports whether a value can hardly be a word, a number, a path, an address or a reference.
func LooksSecret(value string) bool {
	return looksSecret(value) && !StandsForSecret(value) && !isPath(value)
}
