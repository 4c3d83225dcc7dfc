package lint

// IDs returns the ids of [Rules], in order.
func IDs() []string {
	ids := make([]string, len(Rules))
	for i, rule := range Rules {
		ids[i] = rule.ID
	}
	return ids
}
