package gates

// All lists the gates in the order of the documentation.
//
// discovery is left out: it modifies its test and measures nothing.
var All = []*Gate{EqualFunctionSets, ToolSelection, Distractors, Orchestration, TokenEfficiency, ToolQuality, ToolBench}
