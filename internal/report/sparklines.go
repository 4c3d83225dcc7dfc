package report

// Sparklines has a small chart for each figure, over the last commits.
type Sparklines map[SparklineKey]string

// SparklineKey identifies a figure. Of is the id of a case, or the path of a catalog.
type SparklineKey struct{ Of, Target string }

// runTokens maps figures that are counted without a gate to their targets.
var runTokens = map[string]string{FigureRunTokens: "tokens.median", FigureRunTokensMax: "tokens.max"}

// Case returns the chart of a case's figure; "" if there is none.
func (s Sparklines) Case(c *Case, figure string) string {
	for _, target := range append(FigureNamed(figure).Metrics, runTokens[figure], figure) {
		if line := s[SparklineKey{c.ID, target}]; line != "" {
			return line
		}
	}
	return ""
}

// Catalog returns the chart of the surface tokens of a catalog; "" if there is none.
func (s Sparklines) Catalog(c *Catalog) string { return s[SparklineKey{c.Path, "surface_tokens"}] }
