package gates

// cached returns values[key]. It computes the value if the map lacks it.
func cached[K comparable, V any](values map[K]V, key K, compute func() V) V {
	value, ok := values[key]
	if !ok {
		value = compute()
		values[key] = value
	}
	return value
}
