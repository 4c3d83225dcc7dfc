package report

import "strconv"

// Count is a number that may be unknown; JSON has null for an unknown number.
type Count int64

// NotKnown is the value of an unknown count.
const NotKnown Count = -1

// IsKnown reports whether the count is known.
func (n Count) IsKnown() bool { return n >= 0 }

// OrNone returns the count, or 0 if it is unknown. It is used for sums of the known counts.
func (n Count) OrNone() int64 { return int64(max(n, 0)) }

// Plus returns the sum. It is unknown if a part is unknown.
func (n Count) Plus(more Count) Count {
	if !n.IsKnown() || !more.IsKnown() {
		return NotKnown
	}
	return n + more
}

// Minus returns the difference; ok is false if either count is unknown.
func (n Count) Minus(other Count) (difference int64, ok bool) {
	if !n.IsKnown() || !other.IsKnown() {
		return 0, false
	}
	return int64(n - other), true
}

// Text returns the count with commas between thousands, or – if it is unknown.
func (n Count) Text() string {
	if !n.IsKnown() {
		return "–"
	}
	return Thousands(int64(n))
}

// MarshalJSON writes the number, or null.
func (n Count) MarshalJSON() ([]byte, error) {
	if !n.IsKnown() {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, int64(n), 10), nil
}

// UnmarshalJSON reads what [Count.MarshalJSON] writes.
func (n *Count) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*n = NotKnown
		return nil
	}
	value, err := strconv.ParseInt(string(data), 10, 64)
	*n = Count(value)
	return err
}
