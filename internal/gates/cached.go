package gates

// cached returns the value of a key in a map. It computes the value once.
func cached[K comparable, V any](values map[K]V, key K, compute func() V) V {
	value, ok := values[key]
	if !ok {
		value = compute()
		values[key] = value
	}
	return value
}
